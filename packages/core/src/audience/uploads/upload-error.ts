/** A fault of a whole file, with a message for the user who uploaded it. Nothing was changed. */
export class UploadError extends Error {
  override name = 'UploadError'
}

/** Limits of a file; anything beyond is more likely a mistake or an attack than data. */
export const MAXIMUM_LINE = 1024 * 1024
export const MAXIMUM_COLUMNS = 500
export const MAXIMUM_ROWS = 10_000_000
export const MAXIMUM_BYTES = 4 * 1024 ** 3

export const longLine = (row: number) =>
  new UploadError(
    `Line ${row} is longer than 1 MB. Either a quote is opened and never closed, or the file has no line ends.`,
  )
