//! The normal distribution: how much of it is below a number, and which number a share of it is below.

/// Returns the share of the standard normal distribution that is below `z`.
pub fn normal_share(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// Returns the number that a share of the standard normal distribution is below, to about 16 digits; infinite for the shares 0
/// and 1, NaN for numbers that are no shares.
///
/// Source: Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37 (1988), for the
/// method and the coefficients of its routine `PPND16`.
pub fn normal_quantile(share: f64) -> f64 {
    let from_middle = share - 0.5;
    if from_middle.abs() <= 0.425 {
        let x = 0.180_625 - from_middle * from_middle;
        return from_middle * ratio(x, &MIDDLE);
    }
    let (beyond, sign) = if from_middle < 0.0 { (share, -1.0) } else { (1.0 - share, 1.0) };
    if beyond == 0.0 {
        return sign * f64::INFINITY;
    }
    let far = (-libm::log(beyond)).sqrt();
    sign * if far <= 5.0 { ratio(far - 1.6, &TAIL) } else { ratio(far - 5.0, &FAR_TAIL) }
}

/// The coefficients of two polynomials, from the constant ones on.
type Ratio = [[f64; 8]; 2];

/// Returns the ratio of two polynomials at `x`.
fn ratio(x: f64, of: &Ratio) -> f64 {
    let [above, below] = of.map(|all| all.iter().rev().fold(0.0, |sum, one| sum * x + one));
    above / below
}

/// For shares from 0.075 to 0.925.
const MIDDLE: Ratio = [
    [
        3.387_132_872_796_366_6,
        133.141_667_891_784_38,
        1_971.590_950_306_551_4,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ],
];

/// For shares beyond these, down to exp(-25).
const TAIL: Ratio = [
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
];

/// For shares beyond these.
const FAR_TAIL: Ratio = [
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantiles_are_those_of_tables() {
        // Percentage points as printed in tables of the standard normal distribution.
        let known = [
            (0.5, 0.0),
            (0.841_344_746_068_543, 1.0),
            (0.9, 1.281_551_565_544_6),
            (0.975, 1.959_963_984_540_054),
            (0.999, 3.090_232_306_167_813_5),
            (1e-9, -5.997_807_015_007_686),
            (1e-15, -7.941_345_326_170_997),
        ];
        for (share, z) in known {
            assert!((normal_quantile(share) - z).abs() < 1e-12, "{share}");
        }
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
        assert!(normal_quantile(1.5).is_nan() && normal_quantile(-0.1).is_nan());
    }

    proptest! {
        #[test]
        fn the_share_below_a_quantile_is_the_share(share in 1e-12f64..0.999_999) {
            let back = normal_share(normal_quantile(share));
            prop_assert!((back / share - 1.0).abs() < 1e-12, "{share} {back}");
        }

        #[test]
        fn quantiles_are_symmetric_and_increase(share in 1e-6f64..0.5, more in 1e-9f64..0.1) {
            let z = normal_quantile(share);
            prop_assert!((z + normal_quantile(1.0 - share)).abs() < 1e-9);
            prop_assert!(normal_quantile(share + more) > z);
        }
    }
}
