import type { ListQuery } from '@emma/client/list-query.ts'
import { useRef } from 'react'
import { notify } from '../feedback/notify.tsx'
import { useUiSettings } from '../ui-settings.tsx'
import { useLanguage, useTranslate } from '../i18n.tsx'
import type { ExportKind } from './export-menu.tsx'
import { csvText } from '@emma/contract/csv.ts'
import { type LoadRows, csvDelimiter, exportRows, saveAsFile } from './list-csv.ts'
import type { Column } from './list-parts.ts'

export interface ListExport<Row> {
  name: string
  /** Base name of the file. */
  filename: string
  columns: readonly Column<Row>[]
  query: ListQuery
  load: LoadRows<Row>
}

/** Returns a function that exports all rows of the view as a file, with progress and cancel. */
export function useListExport<Row>(list: ListExport<Row>): (kind: ExportKind) => void {
  const t = useTranslate()
  const language = useLanguage()
  const { errorText } = useUiSettings()
  const running = useRef<AbortController>(null)
  const { name, filename, columns, query, load } = list

  async function run(kind: ExportKind, stop: AbortController): Promise<void> {
    const id = `export.${name}`
    const cancel = { label: t('action.cancel'), run: () => stop.abort() }
    try {
      const rows = await exportRows({
        columns,
        query,
        load,
        signal: stop.signal,
        onProgress: (done, total) => {
          if (done < total && !stop.signal.aborted) {
            notify.info(t('list.exporting', { done, total }), { id, permanent: true, action: cancel })
          }
        },
      })
      if (kind === 'csv') saveAsFile(csvText(rows, csvDelimiter(language)), `${filename}.csv`)
      else saveAsFile(await (await import('./list-xlsx.ts')).workbookOf(rows), `${filename}.xlsx`)
    } catch (error) {
      if (stop.signal.aborted) notify.info(t('list.export_cancelled'))
      else notify.danger(errorText(error), { title: t('list.export') })
    } finally {
      notify.close(id)
    }
  }

  return kind => {
    // A second export cancels the first.
    running.current?.abort()
    running.current = new AbortController()
    void run(kind, running.current)
  }
}
