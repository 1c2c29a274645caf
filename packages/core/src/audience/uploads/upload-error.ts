/** What is wrong with a file as a whole, in words for the person who uploaded it. Nothing was changed. */
export class UploadError extends Error {
  override name = 'UploadError'
}

/** Bounds of a file: beyond them a mistake or an attack is likelier than data. */
export const MAXIMUM_LINE = 1024 * 1024
export const MAXIMUM_COLUMNS = 500
export const MAXIMUM_ROWS = 10_000_000
export const MAXIMUM_BYTES = 4 * 1024 ** 3

export const longLine = (row: number) =>
  new UploadError(
    `Line ${row} is longer than 1 MB. Either a quote is opened and never closed, or the file has no line ends.`,
  )
