export interface FileRules {
  /** Extensions with dot: `.csv`. Empty: any file. */
  accept: readonly string[]
  /** Bytes. */
  maxSize: number
}

/**
 * Fault of a file before its upload; null if it is accepted. Checked by extension, because browsers know few MIME
 * types.
 */
export function fileFault(
  file: { name: string; size: number },
  rules: FileRules,
): 'too_large' | 'wrong_type' | null {
  const name = file.name.toLowerCase()
  if (rules.accept.length > 0 && !rules.accept.some(ending => name.endsWith(ending.toLowerCase()))) {
    return 'wrong_type'
  }
  return file.size > rules.maxSize ? 'too_large' : null
}
