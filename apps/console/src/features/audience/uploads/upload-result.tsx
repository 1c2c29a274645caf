import { uploadState } from '@emma/contract/resources/dataupload.ts'
import { Card } from '@emma/ui/layout/card.tsx'
import { Figure, Figures } from '@emma/ui/layout/figure.tsx'
import { KeyValue } from '@emma/ui/layout/key-value.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { useFormat, useTranslate } from '@emma/ui/i18n.tsx'
import { Alert, Button, Group, Stack, Title } from '@mantine/core'
import { IconAlertTriangle, IconDownload, IconFlask, IconUpload, IconUsers } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import { fileColumns } from './file-columns.ts'
import { useUploadTargets } from './use-upload-targets.ts'
import { UndoButton, UndoState } from './upload-undo.tsx'
import { beginUpload, changeUpload, saveErrorFile, type Upload } from './upload-calls.ts'

const imported = ['rows_ok', 'rows_inserted', 'rows_updated', 'rows_unchanged', 'rows_repaired'] as const
const rejected = ['rows_incomplete', 'rows_invalid', 'rows_duplicate', 'rows_suppressed'] as const

/** Result of an upload: the outcome of its rows. */
export function UploadResult({ upload }: { upload: Upload }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`audience.dataupload.${key}`)
  return (
    <>
      {upload.status === uploadState.failed && (
        <Alert color="red" icon={<IconAlertTriangle size={18} />} title={text('failed_title')}>
          {textOfFault({
            code: upload.error_code,
            values: upload.error_values,
            message: upload.error ?? '',
          })}
        </Alert>
      )}
      {upload.status === uploadState.cancelled && <Alert color="gray" title={text('cancelled_text')} />}
      {upload.status === uploadState.finished && (
        <>
          <UndoState upload={upload} />
          {upload.test && <AfterTest upload={upload} />}
          <Numbers title={text('sections.imported')} upload={upload} fields={imported} />
          <Numbers title={text('sections.rejected')} upload={upload} fields={rejected} />
        </>
      )}
      <Group gap="xs">
        {upload.has_error_file && (
          <Button
            leftSection={<IconDownload size={16} />}
            onClick={() => void saveErrorFile(upload).catch(showError)}
          >
            {text('error_file')}
          </Button>
        )}
        {upload.member_table_id !== null && (
          <Button
            variant="default"
            leftSection={<IconUsers size={16} />}
            renderRoot={props => (
              <Link to="/subscribers/archive" search={{ table: upload.member_table_id }} {...props} />
            )}
          >
            {t('audience.membertable.show_members')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconUpload size={16} />}
          renderRoot={props => (
            <Link
              to="/subscribers/dataupload/edit/$id"
              params={{ id: 'new' }}
              search={
                upload.member_table_id === null
                  ? { blacklist: upload.blacklist_id }
                  : { table: upload.member_table_id }
              }
              {...props}
            />
          )}
        >
          {text('another')}
        </Button>
        <UndoButton upload={upload} />
      </Group>
      <Facts upload={upload} />
      <Columns upload={upload} />
    </>
  )
}

/** Actions after a test import: import the file, or change the mapping. */
function AfterTest({ upload }: { upload: Upload }): ReactNode {
  const { t } = useTranslation()
  const go = useMutation({
    mutationFn: async (start: boolean): Promise<void> => {
      if (start) await beginUpload(upload, { test: false })
      else await changeUpload(upload, { test: false })
    },
    onError: showError,
  })
  return (
    <Alert color="blue" icon={<IconFlask size={18} />} title={t('audience.dataupload.tested_title')}>
      <Stack gap="sm">
        {t('audience.dataupload.tested_text')}
        <Group gap="xs">
          <Button loading={go.isPending} onClick={() => go.mutate(true)}>
            {t('audience.dataupload.start')}
          </Button>
          <Button variant="default" disabled={go.isPending} onClick={() => go.mutate(false)}>
            {t('audience.dataupload.change_columns')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

interface NumbersProps {
  title: string
  upload: Upload
  fields: typeof imported | typeof rejected
}

function Numbers({ title, upload, fields }: NumbersProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <section aria-label={title}>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      <Figures>
        {fields.map(field => (
          <Figure
            key={field}
            label={t(`audience.dataupload.fields.${field}`)}
            value={format.number(upload[field])}
            note={upload.rows > 0 ? format.percent(upload[field] / upload.rows) : undefined}
          />
        ))}
      </Figures>
    </section>
  )
}

function Facts({ upload }: { upload: Upload }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: datasources = [] } = useDatasources()
  const label = (field: string) => t(`audience.dataupload.fields.${field}`)
  const target = datasources.find(one => one.member_table_id === upload.member_table_id)
  const seconds =
    upload.started_at && upload.finished_at
      ? (Date.parse(upload.finished_at) - Date.parse(upload.started_at)) / 1000
      : null
  return (
    <Card title={t('audience.dataupload.sections.facts')}>
      <KeyValue
        columns={2}
        entries={[
          { label: label('target'), value: target?.name ?? t('audience.dataupload.a_blacklist') },
          { label: label('mode'), value: t(`audience.dataupload.modes.${upload.mode}`) },
          { label: label('rows'), value: format.number(upload.rows) },
          { label: label('size'), value: format.bytes(upload.size) },
          { label: label('started_at'), value: format.dateTime(upload.started_at) },
          { label: label('duration'), value: seconds === null ? null : format.duration(seconds) },
        ]}
      />
    </Card>
  )
}

/** The columns of the file with the fields that they were imported into. */
function Columns({ upload }: { upload: Upload }): ReactNode {
  const { t } = useTranslation()
  const tKit = useTranslate()
  const { targets } = useUploadTargets(upload)
  const columns = fileColumns(upload.header, []).map(({ name }, index) => ({
    name,
    field: upload.mapping.find(entry => entry.index === index)?.column ?? null,
  }))
  const labelOf = (field: string) => targets.find(({ value }) => value === field)?.label ?? field
  const title = t('audience.dataupload.fields.mapping')
  return (
    <Card title={title} isFlush>
      <SmallTable
        label={title}
        rows={columns}
        rowKey={({ name }) => name}
        isDimmed={({ field }) => field === null}
        columns={[
          { id: 'column', header: tKit('mapping.source'), cell: ({ name }) => name },
          {
            id: 'field',
            header: t('audience.dataupload.imported_into'),
            cell: ({ field }) => (field === null ? t('audience.dataupload.not_imported') : labelOf(field)),
          },
        ]}
      />
    </Card>
  )
}
