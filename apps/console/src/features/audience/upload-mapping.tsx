import { columnSynonyms } from '@emma/contract/column-synonyms.ts'
import type { MappingTarget } from '@emma/ui/upload/match-columns.ts'
import { uploadModes } from '@emma/contract/resources/dataupload.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { MappingTable } from '@emma/ui/upload/mapping-table.tsx'
import { type Mapping, mappingFaults } from '@emma/ui/upload/match-columns.ts'
import { useFormat } from '@emma/ui/words.tsx'
import { Button, Group, NativeSelect } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../shell/error-text.ts'
import { removeRecord } from '../../shell/record-calls.ts'
import { useDatasources } from '../../shell/use-datasources.ts'
import { columnLabel } from './member-columns.tsx'
import { fileColumns, toKept, toShown } from './file-columns.ts'
import { beginUpload, changeUpload, type Upload, type UploadChange } from './upload-calls.ts'
import { dataupload } from '@emma/contract/resources/dataupload.ts'

const delimiters = [',', ';', '\t', '|'] as const
const charsets = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-1', 'iso-8859-15'] as const

/** How the file is read, and which of its columns fill what: looked at before anything is written. */
export function UploadMapping({ upload }: { upload: Upload }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const navigate = useNavigate()
  const targets = useTargets(upload)
  const columns = fileColumns(upload.header, upload.sample)
  const [mapping, setMapping] = useState<{ of: number; shown: Mapping } | null>(null)
  // Another delimiter makes other columns: what was chosen for the old ones is forgotten.
  const shown = mapping?.of === upload.revision ? mapping.shown : toShown(upload.mapping, columns)
  const change = useMutation({
    mutationFn: (wanted: UploadChange) => changeUpload(upload, wanted),
    onError: showError,
  })
  const begin = useMutation({
    mutationFn: () => beginUpload(upload, toKept(shown, columns)),
    onError: showError,
  })
  const discard = useMutation({
    mutationFn: () => removeRecord(dataupload, upload.id),
    onSuccess: () => navigate({ to: '/subscribers/dataupload' }),
    onError: showError,
  })
  const isBusy = change.isPending || begin.isPending || discard.isPending
  const faults = mappingFaults(shown, targets)
  const isReady = faults.missing.length === 0 && faults.twice.length === 0
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
        mapping={shown}
        onChange={next => setMapping({ of: upload.revision, shown: next })}
      />
      <Group gap="xs">
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          disabled={!isReady || isBusy}
          loading={begin.isPending}
          onClick={() => begin.mutate()}
        >
          {t('audience.dataupload.start')}
        </Button>
        <Button variant="subtle" color="gray" disabled={isBusy} onClick={() => discard.mutate()}>
          {t('audience.dataupload.discard')}
        </Button>
      </Group>
    </>
  )
}

const delimiterNames = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' } as const

const writableFixed = new Set(['email', 'datejoin', 'source', 'doi_state', 'doi_at'])

/** What columns of the file can fill: those of the datasource, or of a blacklist. */
function useTargets(upload: Upload): MappingTarget[] {
  const { t } = useTranslation()
  const { data: datasources = [] } = useDatasources()
  if (upload.blacklist_id !== null)
    return ['value', 'reason', 'expires_at'].map(value => ({
      value,
      label: t(`audience.blacklist.entry.${value}`),
      isRequired: value === 'value',
      synonyms: columnSynonyms[value] ?? [],
    }))
  const source = datasources.find(one => one.member_table_id === upload.member_table_id)
  return (source?.emmamembertableschema ?? [])
    .filter(column => !column.is_fixed || writableFixed.has(column.column_name))
    .map(column => ({
      value: column.column_name,
      label: columnLabel(column, t),
      isRequired: column.column_name === 'email',
      synonyms: [column.label, ...(columnSynonyms[column.column_name] ?? [])],
    }))
}
