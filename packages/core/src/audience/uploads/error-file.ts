import { csvText } from '@emma/contract/csv.ts'
import type { Fault } from '@emma/contract/faults.ts'
import type { TextLanguage } from '@emma/contract/resources/translation.ts'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { rowFaultText, rowTexts } from './row-texts.ts'

export interface ErrorFile {
  /** Adds a row that is not imported: its number in the file, the reason, the column and its original cells. */
  add(row: number, reason: Fault, column: string, cells: readonly string[]): void
  /** Writes buffered rows to disk; call it regularly to bound memory. */
  flush(): Promise<void>
  close(): Promise<void>
  readonly rows: number
}

/**
 * Creates the error file of an upload: CSV in UTF-8 with a byte order mark, which spreadsheets need; texts are in the
 * language of the user who uploaded the file.
 */
export function createErrorFile(
  path: string,
  header: readonly string[],
  delimiter: string,
  language: TextLanguage,
): ErrorFile {
  const file = createWriteStream(path, { mode: 0o600 })
  const translate = createTranslator(language)
  const words = rowTexts[language].error_file
  let rows = 0
  let gathered = `\ufeff${csvText([[words.row, words.reason, words.column, ...header]], delimiter)}`
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

/** Caches the texts of reasons, 1000 at most, as they repeat. */
function createTranslator(language: TextLanguage): (reason: Fault) => string {
  const translated = new Map<Fault, string>()
  return reason => {
    const text = translated.get(reason) ?? rowFaultText(reason, language)
    if (translated.size < 1000) translated.set(reason, text)
    return text
  }
}
