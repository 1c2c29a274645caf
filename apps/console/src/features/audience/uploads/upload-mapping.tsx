import { uploadModes } from '@emma/contract/resources/dataupload.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { MappingTable } from '@emma/ui/upload/mapping-table.tsx'
import { type Mapping, mappingFaults } from '@emma/ui/upload/match-columns.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Button, Checkbox, Group, NativeSelect } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { removeRecord } from '../../../shell/resource/record-calls.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import { ColumnFormat, isUnclear } from '../datasources/column-format.tsx'
import {
  type ChosenFormat,
  type FileColumn,
  fileColumns,
  newColumnTarget,
  toKept,
  toShown,
} from './file-columns.ts'
import { UploadPreview } from './upload-preview.tsx'
import { keyModes, useUploadTargets } from './use-upload-targets.ts'
import { NewColumnFields } from '../datasources/new-column.tsx'
import { useNewColumns } from '../datasources/use-new-columns.ts'
import { beginUpload, changeUpload, type Upload, type UploadChange } from './upload-calls.ts'
import { dataupload } from '@emma/contract/resources/dataupload.ts'

const delimiters = [',', ';', '\t', '|'] as const
const charsets = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-1', 'iso-8859-15'] as const

/** Settings of the file format and the mapping of its columns, with a preview, before the import starts. */
export function UploadMapping({ upload }: { upload: Upload }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const navigate = useNavigate()
  const { targets, schema, dataTypes } = useUploadTargets(upload)
  const columns = fileColumns(upload.header, upload.sample)
  const canAddColumns = upload.blacklist_id === null && !keyModes.includes(upload.mode)
  const [mapping, setMapping] = useState<{ of: number; shown: Mapping } | null>(null)
  const [chosenFormats, setChosenFormats] = useState(() => formatsOf(upload, columns))
  const [emptyBadCells, setEmptyBadCells] = useState(upload.empty_bad_cells)
  // Another delimiter gives other columns, so a mapping only applies to the revision that it was made for.
  const mayAddColumns = usePermission({ all: ['EmmaMemberTable:patch'] }) && canAddColumns
  const chosen = mapping?.of === upload.revision ? mapping.shown : toShown(upload.mapping, columns)
  const shown = onlyTargets(chosen, [
    ...targets.map(target => target.value),
    ...(mayAddColumns ? [newColumnTarget] : []),
  ])
  const formatAt = (name: string) => upload.formats[columns.findIndex(column => column.name === name)]
  const change = useMutation({
    mutationFn: (wanted: UploadChange) => changeUpload(upload, wanted),
    onError: showError,
  })
  const begin = useMutation({
    mutationFn: (test: boolean) =>
      beginUpload(upload, {
        ...chosenReading(),
        test,
      }),
    onError: showError,
  })
  const newColumns = useNewColumns(upload, columns, shown, schema, begin.error)
  const typeOf = (name: string, target: string) =>
    target === newColumnTarget ? newColumns.of(name).data_type : (dataTypes.get(target) ?? '')
  function chosenReading() {
    return {
      mapping: toKept(shown, columns, chosenFormats, newColumns.of),
      empty_bad_cells: emptyBadCells,
    }
  }
  const discard = useMutation({
    mutationFn: () => removeRecord(dataupload, upload.id),
    onSuccess: () => navigate({ to: '/subscribers/dataupload' }),
    onError: showError,
  })
  const isBusy = change.isPending || begin.isPending || discard.isPending
  const faults = mappingFaults(shown, targets)
  const isFormatOpen = Object.entries(shown).some(
    ([name, target]) =>
      target !== null && isUnclear(formatAt(name), chosenFormats[name], typeOf(name, target)),
  )
  const isReady =
    faults.missing.length === 0 && faults.twice.length === 0 && newColumns.faults.size === 0 && !isFormatOpen
  const modes = upload.blacklist_id === null ? uploadModes : (['upsert', 'insert', 'delete'] as const)
  return (
    <>
      <Card title={t('audience.dataupload.sections.reading')}>
        <Group gap="lg" align="flex-end">
          <NativeSelect
            label={t('audience.dataupload.fields.delimiter')}
            value={upload.delimiter ?? ','}
            disabled={isBusy}
            data={delimiters.map(value => ({
              value,
              label: t(`audience.dataupload.delimiters.${delimiterNames[value]}`),
            }))}
            onChange={event => {
              const delimiter = delimiters.find(known => known === event.currentTarget.value)
              if (delimiter) change.mutate({ delimiter })
            }}
          />
          <NativeSelect
            label={t('audience.dataupload.fields.charset')}
            value={upload.charset ?? 'utf-8'}
            disabled={isBusy}
            data={charsets.map(value => ({ value, label: value.toUpperCase() }))}
            onChange={event => {
              const charset = charsets.find(known => known === event.currentTarget.value)
              if (charset) change.mutate({ charset })
            }}
          />
          <NativeSelect
            label={t('audience.dataupload.fields.mode')}
            value={upload.mode}
            disabled={isBusy}
            data={modes.map(value => ({ value, label: t(`audience.dataupload.modes.${value}`) }))}
            onChange={event => {
              const mode = uploadModes.find(known => known === event.currentTarget.value)
              if (mode) change.mutate({ mode })
            }}
          />
          <span style={{ paddingBlockEnd: 6, color: 'var(--mantine-color-dimmed)' }}>
            {format.bytes(upload.size)}
          </span>
        </Group>
      </Card>
      <MappingTable
        columns={columns}
        targets={targets}
        newTarget={mayAddColumns ? newColumnTarget : undefined}
        mapping={shown}
        onChange={next => setMapping({ of: upload.revision, shown: next })}
        detail={(name, target) => (
          <>
            {target === newColumnTarget && (
              <NewColumnFields
                name={name}
                column={newColumns.of(name)}
                fault={newColumns.faults.get(name)}
                onChange={column => {
                  begin.reset()
                  newColumns.change(name, column)
                }}
              />
            )}
            <ColumnFormat
              name={name}
              format={formatAt(name)}
              chosen={chosenFormats[name]}
              dataType={typeOf(name, target)}
              onChange={format => setChosenFormats({ ...chosenFormats, [name]: format })}
            />
          </>
        )}
      />
      {targets.length > 1 && upload.blacklist_id === null && (
        <Checkbox
          label={t('audience.dataupload.fields.empty_bad_cells')}
          description={t('audience.dataupload.empty_bad_cells_text')}
          checked={emptyBadCells}
          onChange={event => setEmptyBadCells(event.currentTarget.checked)}
        />
      )}
      <UploadPreview
        upload={upload}
        question={chosenReading()}
        isReady={isReady}
        labelOf={name => targets.find(target => target.value === name)?.label}
      />
      <Group gap="xs">
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          disabled={!isReady || isBusy}
          loading={begin.isPending}
          onClick={() => begin.mutate(false)}
        >
          {t('audience.dataupload.start')}
        </Button>
        <Button variant="default" disabled={!isReady || isBusy} onClick={() => begin.mutate(true)}>
          {t('audience.dataupload.test')}
        </Button>
        <Button variant="subtle" color="gray" disabled={isBusy} onClick={() => discard.mutate()}>
          {t('audience.dataupload.discard')}
        </Button>
      </Group>
    </>
  )
}

const delimiterNames = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' } as const

/** Unmaps columns whose target is not offered in the mode. */
function onlyTargets(mapping: Mapping, targets: readonly string[]): Mapping {
  const known = new Set(targets)
  return Object.fromEntries(
    Object.entries(mapping).map(([name, target]) => [
      name,
      target !== null && known.has(target) ? target : null,
    ]),
  )
}

function formatsOf(upload: Upload, columns: readonly FileColumn[]): Record<string, ChosenFormat> {
  return Object.fromEntries(
    upload.mapping.flatMap(({ index, date_order, decimal_sign }) => {
      const name = columns[index]?.name
      return name === undefined || !(date_order ?? decimal_sign) ? [] : [[name, { date_order, decimal_sign }]]
    }),
  )
}
