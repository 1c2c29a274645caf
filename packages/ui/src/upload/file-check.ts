export interface FileRules {
  /** Endings with their dot: `.csv`. None: any file. */
  accept: readonly string[]
  /** Bytes. */
  maxSize: number
}

/** What is wrong with a file before it travels; null: nothing. By its ending, because browsers know few types. */
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
