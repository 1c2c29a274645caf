import { csvText } from '@emma/contract/csv.ts'
import { errorFileWords, translateUploadFault, type UploadLanguage } from '@emma/contract/upload-faults.ts'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'

export interface ErrorFile {
  /** A row that is not taken: its number in the file, why, which column, and its cells as they came. */
  add(row: number, reason: string, column: string, cells: readonly string[]): void
  /** Writes what has gathered; call it now and then, so that it does not pile up. */
  flush(): Promise<void>
  close(): Promise<void>
  readonly rows: number
}

/**
 * Begins the error file of an upload: CSV in UTF-8 with a byte order mark, so that spreadsheets read it right; its words
 * in the language of the person who uploaded the file.
 */
export function createErrorFile(
  path: string,
  header: readonly string[],
  delimiter: string,
  language: UploadLanguage,
): ErrorFile {
  const file = createWriteStream(path, { mode: 0o600 })
  const translate = createTranslator(language)
  let rows = 0
  let gathered = `\ufeff${csvText([[...errorFileWords[language].columns, ...header]], delimiter)}`
  return {
    get rows() {
      return rows
    },
    add(row, reason, column, cells) {
      rows++
      gathered += csvText([[String(row), translate(reason), column, ...cells]], delimiter)
    },
    async flush() {
      if (gathered === '') return
      const text = gathered
      gathered = ''
      if (!file.write(text)) await once(file, 'drain')
    },
    async close() {
      file.end(gathered)
      gathered = ''
      await finished(file)
    },
  }
}

/** Reasons repeat: each is looked up once, as long as there are not too many. */
function createTranslator(language: UploadLanguage): (reason: string) => string {
  if (language === 'en') return reason => reason
  const translated = new Map<string, string>()
  return reason => {
    const text = translated.get(reason) ?? translateUploadFault(reason, language) ?? reason
    if (translated.size < 1000) translated.set(reason, text)
    return text
  }
}
