import { type CodeOf, type Fault, fault, type ValuesFor } from '@emma/contract/faults.ts'

/** A fault of a whole file, for the user who uploaded it. Nothing was changed. */
export class UploadError extends Error {
  override name = 'UploadError'
  readonly fault: Fault

  constructor(reason: Fault) {
    super(reason.message)
    this.fault = reason
  }
}

/** Creates the error of an upload code with the values of its text. */
export function uploadError<Code extends CodeOf<'upload'>>(
  code: Code,
  ...values: ValuesFor<Code>
): UploadError {
  return new UploadError(fault(code, ...values))
}

/** Limits of a file; anything beyond is more likely a mistake or an attack than data. */
export const MAXIMUM_LINE = 1024 * 1024
export const MAXIMUM_COLUMNS = 500
export const MAXIMUM_ROWS = 10_000_000
export const MAXIMUM_BYTES = 4 * 1024 ** 3

export const longLine = (row: number) => uploadError('upload.long_line', { line: row })
