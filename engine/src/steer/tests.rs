//! Laws that hold for every primitive of the table.
