/**
 * Faults of the file or the mapping of an import (R281). An upload stores the English text in `error`, code and values in
 * `error_code` and `error_values`. Braces contain names of values.
 */
export const uploadFaults = {
  empty: 'The file is empty.',
  header_only: 'The file has a header, but no rows.',
  no_header: 'The first row holds an address. It must name the columns: email, firstname …',
  columns: 'The file has {columns} columns; at most {max} are taken. Is the delimiter {delimiter} right?',
  rows: 'The file has more than {max} rows. Split it.',
  size: 'The file is larger than {size}. Split it.',
  long_line:
    'Line {line} is longer than 1 MB. Either a quote is opened and never closed, or the file has no line ends.',
  gone: 'The file is not kept any more. Upload it again.',
  format: 'The file is {format}. Save the table as CSV and upload that.',
  not_text: 'The file is not a text file: it has NUL bytes. Save the table as CSV and upload that.',
  gzip: 'The gzip file is broken: it cannot be unpacked to its end. Upload it again.',
  is_utf8: 'The file is UTF-8. Read as {charset}, its umlauts would become pairs of other letters.',
  not_utf8: 'Line {line} is not UTF-8. Choose the charset of the file, for spreadsheets mostly windows-1252.',
  not_charset: 'The file is not {charset}: it has bytes that are no text in it. Choose another charset.',
  other_charset: 'The file is {charset}, not {requested}.',
  other_delimiter:
    'With {requested} as delimiter the file has a single column; it is separated by {delimiter}.',
  workbook_broken: 'The Excel workbook cannot be read. Save it again as .xlsx, or as CSV.',
  workbook_size: 'The Excel workbook unpacks to more than {size}. Save the table as CSV and upload that.',
  workbook_columns: 'The workbook has more than {max} columns.',
  workbook_empty: 'The Excel workbook has no sheet with rows.',
  no_target: 'The upload has no target: choose a datasource or a suppression list.',
  blacklist_mode: 'A suppression list takes insert, upsert and delete, not {mode}.',
  no_column: '"{target}" has no column "{column}" that a file can fill.',
  no_place: 'The file has no column {place}; it has {width}.',
  mapped_twice: 'Two columns of the file are mapped to "{column}".',
  no_key: 'No column of the file is mapped to "{column}", by which rows are told apart.',
  unclear_dates:
    'The dates of "{column}" can be read in two ways, such as 01/02/2026. Choose whether the day or the month comes first.',
  unclear_numbers:
    'The numbers of "{column}" can be read in two ways, such as 1,234. Choose which sign separates the decimals.',
  broke_off:
    'The import broke off because of a fault in the program or the database. Nothing was changed; start it again.',
  comma: 'a comma',
  semicolon: 'a semicolon',
  tab: 'a tab',
  bar: 'a vertical bar',
  zip: 'a ZIP archive',
  old_workbook: 'an old or encrypted Excel workbook',
  gzip_in_gzip: 'a gzip archive inside of a gzip archive',
  pdf: 'a PDF',
  seven_zip: 'a 7z archive',
} as const
