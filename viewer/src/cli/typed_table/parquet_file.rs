//! Parquet files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::Diagnostic;
use flockwork_engine::load::OutputFile;
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::{ColumnType, Contents, TypedColumn};

/// Number of rows that are kept in memory, and that form a group of rows in the file.
const GROUP_ROWS: usize = 50_000;

/// A table that is being written to a Parquet file. The bytes depend on nothing but the columns and the rows.
pub(in crate::cli) struct TypedTable {
    path: PathBuf,
    file: SerializedFileWriter<Sink>,
    columns: Vec<Column>,
    /// Number of rows that are not written yet.
    waiting: usize,
}

/// The file, until it is taken to complete it.
struct Sink(Option<OutputFile>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), OutputFile::flush)
    }
}

/// A column and those of its values that are not written yet.
struct Column {
    name: String,
    values: Values,
    /// For each row, 1 if there is a value and 0 if there is none.
    levels: Vec<i16>,
}

enum Values {
    Integers(Vec<i64>),
    /// With the bits of integers.
    Naturals(Vec<i64>),
    Doubles(Vec<f64>),
    Booleans(Vec<bool>),
    Strings(Vec<ByteArray>),
}

impl TypedTable {
    /// Begins a table.
    ///
    /// # Errors
    ///
    /// As [`OutputFile::create`].
    pub(in crate::cli) fn create(
        path: &Path,
        contents: Contents,
        columns: Vec<TypedColumn>,
    ) -> Result<Self, Diagnostic> {
        let file = OutputFile::create(path, contents.kind())?;
        let properties = WriterProperties::builder()
            .set_created_by(concat!("flockwork version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(vec![KeyValue::new(
                "contents".to_owned(),
                contents.mark.to_owned(),
            )]))
            .set_compression(Compression::SNAPPY)
            .build();
        let file = schema(&columns).and_then(|schema| {
            SerializedFileWriter::new(Sink(Some(file)), Arc::new(schema), Arc::new(properties))
        });
        Ok(Self {
            file: file.map_err(|error| failed(path, error))?,
            path: path.to_owned(),
            columns: columns.into_iter().map(Column::new).collect(),
            waiting: 0,
        })
    }

    /// Adds a row: a cell for each column, as it is written in comma-separated values. An empty one has no value.
    ///
    /// # Errors
    ///
    /// If a cell has another type than its column, and if the file cannot be written.
    pub(in crate::cli) fn add<T: AsRef<str>>(
        &mut self,
        row: impl IntoIterator<Item = T>,
    ) -> Result<(), Diagnostic> {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            let cell = cell.as_ref();
            if !column.add(cell) {
                let (path, name) = (self.path.display(), &column.name);
                return Err(Diagnostic::error(format!(
                    "cannot write {path}: the column `{name}` cannot contain `{cell}`"
                )));
            }
        }
        self.waiting += 1;
        if self.waiting < GROUP_ROWS {
            return Ok(());
        }
        self.write_group().map_err(|error| failed(&self.path, error))
    }

    /// Completes the file. Only now it gets its name.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(in crate::cli) fn finish(mut self) -> Result<(), Diagnostic> {
        let written = self.write_group().and_then(|()| self.file.finish());
        written.map_err(|error| failed(&self.path, error))?;
        self.file.inner_mut().0.take().map_or(Ok(()), OutputFile::commit)
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        if self.waiting == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for column in &mut self.columns {
            if let Some(mut writer) = group.next_column()? {
                column.write(&mut writer)?;
                writer.close()?;
            }
        }
        group.close()?;
        self.waiting = 0;
        Ok(())
    }
}

impl Column {
    fn new((name, of): TypedColumn) -> Self {
        let values = match of {
            ColumnType::Integer => Values::Integers(Vec::new()),
            ColumnType::Natural => Values::Naturals(Vec::new()),
            ColumnType::Double => Values::Doubles(Vec::new()),
            ColumnType::Boolean => Values::Booleans(Vec::new()),
            ColumnType::String => Values::Strings(Vec::new()),
        };
        Self { name, values, levels: Vec::new() }
    }

    /// Adds a cell. Returns whether it has the type of the column.
    fn add(&mut self, cell: &str) -> bool {
        if cell.is_empty() {
            self.levels.push(0);
            return true;
        }
        self.levels.push(1);
        match &mut self.values {
            Values::Integers(all) => cell.parse().map(|value| all.push(value)).is_ok(),
            Values::Naturals(all) => {
                cell.parse().map(|value: u64| all.push(value.cast_signed())).is_ok()
            }
            Values::Doubles(all) => cell.parse().map(|value| all.push(value)).is_ok(),
            Values::Booleans(all) => cell.parse().map(|value| all.push(value)).is_ok(),
            Values::Strings(all) => {
                all.push(cell.into());
                true
            }
        }
    }

    /// Writes the values.
    fn write(&mut self, to: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = Some(&*self.levels);
        match &mut self.values {
            Values::Integers(all) | Values::Naturals(all) => {
                to.typed::<Int64Type>().write_batch(all, levels, None)?;
                all.clear();
            }
            Values::Doubles(all) => {
                to.typed::<DoubleType>().write_batch(all, levels, None)?;
                all.clear();
            }
            Values::Booleans(all) => {
                to.typed::<BoolType>().write_batch(all, levels, None)?;
                all.clear();
            }
            Values::Strings(all) => {
                to.typed::<ByteArrayType>().write_batch(all, levels, None)?;
                all.clear();
            }
        }
        self.levels.clear();
        Ok(())
    }
}

fn schema(columns: &[TypedColumn]) -> Result<Type, ParquetError> {
    let field = |(name, of): &TypedColumn| {
        let (physical, logical) = match of {
            ColumnType::Integer => (PhysicalType::INT64, None),
            ColumnType::Natural => (PhysicalType::INT64, Some(LogicalType::integer(64, false))),
            ColumnType::Double => (PhysicalType::DOUBLE, None),
            ColumnType::Boolean => (PhysicalType::BOOLEAN, None),
            ColumnType::String => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical);
        field.build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("table").with_fields(fields).build()
}

fn failed(path: &Path, error: ParquetError) -> Diagnostic {
    let error = match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    };
    OutputFile::error(path, &error)
}
