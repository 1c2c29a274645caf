import { queryKeys } from '@emma/client/query-keys.ts'
import {
  previewOutcomes,
  previewUpload,
  type PreviewOutcome,
  type UploadPreview as Preview,
  type UploadPreviewQuestion,
} from '@emma/contract/actions/audience.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { StatusBadge, type Tone } from '@emma/ui/layout/status-badge.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import type { Upload } from './upload-calls.ts'
import classes from './upload-preview.module.css'

interface UploadPreviewProps {
  upload: Upload
  /** The current settings, saved or not. */
  question: Required<UploadPreviewQuestion>
  /** Whether the mapping is complete. */
  isReady: boolean
  /** Label of a target column. */
  labelOf: (columnName: string) => string | undefined
}

/** Debounce in ms after a change of the mapping. */
const pause = 400

type PreviewRow = Preview['rows'][number]

/** The first rows of the file as the import would store them, with the outcome of each. */
export function UploadPreview({ upload, question, isReady, labelOf }: UploadPreviewProps): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`audience.dataupload.preview.${key}`)
  const canReadMembers = usePermission({ all: ['EmmaMember:get'] })
  // As JSON: the object is a new one at each render.
  const [asked] = useDebouncedValue(JSON.stringify(question), pause)
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: queryKeys.action(previewUpload, { id: upload.id, revision: upload.revision, asked }),
    queryFn: ({ signal }) =>
      api.call(previewUpload, { params: { id: upload.id }, body: JSON.parse(asked), signal }),
    enabled: isReady && canReadMembers,
    placeholderData: keepPreviousData,
    retry: false,
  })

  function content(): ReactNode {
    if (!canReadMembers) return <p className={classes.hint}>{text('forbidden')}</p>
    if (!isReady) return <p className={classes.hint}>{text('incomplete')}</p>
    if (error)
      return (
        <p className={classes.hint} role="alert">
          {errorText(error)}
        </p>
      )
    if (!data) return <BlockSkeleton height={240} />
    if (data.rows.length === 0) return <p className={classes.hint}>{text('no_rows')}</p>
    return <Rows preview={data} isStale={isPlaceholderData} labelOf={labelOf} />
  }

  return (
    <Card title={text('title')} isFlush>
      {content()}
    </Card>
  )
}

function Rows({
  preview: { columns, rows },
  isStale,
  labelOf,
}: Pick<UploadPreviewProps, 'labelOf'> & { preview: Preview; isStale: boolean }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const text = (key: string) => t(`audience.dataupload.preview.${key}`)
  const figures = previewOutcomes
    .map(outcome => ({ outcome, count: rows.filter(row => row.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${text(`outcomes.${outcome}`)}: ${format.number(count)}`)
  return (
    <div className={classes.table} aria-busy={isStale}>
      <p className={classes.hint} role="status">
        {[text('first_rows'), ...figures].join(' · ')}
      </p>
      <SmallTable
        label={text('title')}
        minWidth={260 + columns.length * 140}
        rows={rows}
        rowKey={row => row.row}
        columns={[
          {
            id: 'row',
            header: text('row'),
            width: 90,
            cell: row => format.number(row.row),
          },
          { id: 'outcome', header: text('outcome'), cell: row => <Outcome row={row} /> },
          ...columns.map(({ column_name, label }, at) => ({
            id: column_name,
            header: labelOf(column_name) ?? label,
            cell: (row: PreviewRow) => <Cell cell={row.cells[at]} isSkipped={row.outcome === 'skipped'} />,
          })),
        ]}
      />
    </div>
  )
}

function Outcome({ row: { outcome, reason, code, values, cells } }: { row: PreviewRow }): ReactNode {
  const { t } = useTranslation()
  // An error of a cell is shown in the cell.
  const isInCell = cells.some(({ fault }) => fault !== null && fault === reason)
  return (
    <>
      <StatusBadge tone={tones[outcome]}>{t(`audience.dataupload.preview.outcomes.${outcome}`)}</StatusBadge>
      {reason !== null && !isInCell && (
        <span className={classes.reason}>{textOfFault({ code, values, message: reason })}</span>
      )}
    </>
  )
}

function Cell({
  cell,
  isSkipped,
}: {
  cell: PreviewRow['cells'][number] | undefined
  isSkipped: boolean
}): ReactNode {
  const { t } = useTranslation()
  if (!cell) return null
  const isEmpty = cell.value === null || cell.value === ''
  return (
    <>
      {isEmpty ? (
        <span className={classes.empty}>{t('audience.dataupload.preview.empty')}</span>
      ) : (
        <div className={classes.value}>{cell.value}</div>
      )}
      {cell.fault !== null && (
        <span className={classes.fault} data-repaired={!isSkipped || undefined}>
          {textOfFault({ ...cell, message: cell.fault })}
        </span>
      )}
    </>
  )
}

const tones: Record<PreviewOutcome, Tone> = {
  new: 'positive',
  update: 'info',
  unsubscribe: 'caution',
  delete: 'caution',
  skipped: 'negative',
}
