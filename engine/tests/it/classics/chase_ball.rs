//! Chase a bouncing ball: the ball moves first, and the seeker seeks its present position.

use super::*;

/// The frame of the gust, as in the scenario.
const GUST: u64 = 60;

fn frame(number: u64, all: &mut [Mover]) {
    let [ball, seeker] = all else {
        panic!("a ball and a seeker");
    };
    ball.p += ball.v;
    if ball.p.x < 0.0 || ball.p.x > 600.0 {
        ball.v.x = -ball.v.x;
    }
    if ball.p.y < 0.0 || ball.p.y > 400.0 {
        ball.v.y = -ball.v.y;
    }
    seeker.v += trunc(n(ball.p - seeker.p) * 7.0 - seeker.v, 0.3);
    if number == GUST {
        seeker.v.x -= 12.4;
    }
    seeker.p += seeker.v;
}

#[test]
fn follows_its_rules() {
    follows("chase_ball", 600, |number, all| frame(number, all));
}

#[test]
fn starts_where_the_classic_says() {
    let all = movers(&open("chase_ball"));
    let state: Vec<_> = all.iter().map(|one| (one.p, one.v)).collect();
    let expected = [(at(300.0, 300.0), at(5.0, 5.0)), (at(100.0, 100.0), at(0.0, 0.0))];
    assert_eq!(state, expected);
}

/// After the gust, the seeker does not fly straight back: seen from the ball, it swings around by more than half a turn, and
/// farther out than before.
#[test]
fn swings_around_the_ball_after_the_gust() {
    let mut simulation = open("chase_ball");
    let (mut swing, mut farthest, mut before) = (0.0f64, 0.0f64, DVec2::ZERO);
    for number in 0..GUST + 85 {
        step(&mut simulation);
        let all = movers(&simulation);
        let to_seeker = all[1].p - all[0].p;
        if number >= GUST {
            swing += turn(before, to_seeker);
            farthest = farthest.max(to_seeker.length());
        }
        before = to_seeker;
    }
    report(&format!("the swing: {swing} rad, up to {farthest} away"));
    assert!(swing.abs() > std::f64::consts::PI && farthest > 200.0, "{swing} rad, {farthest}");
}
