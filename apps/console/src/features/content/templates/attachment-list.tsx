import { type Attachment, ATTACHMENT_LIMITS } from '@emma/contract/attachments.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { EmptyState } from '@emma/ui/feedback/states.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { ActionIcon, Button, Group, Text, TextInput } from '@mantine/core'
import { IconPaperclip, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FileItem } from '../files/file-item.ts'
import { FilePicker } from '../files/file-picker.tsx'
import classes from '../content.module.css'
import type { TemplateValues } from './template-values.ts'

const { count: most, totalBytes, warnedMailBytes, nameCharacters } = ATTACHMENT_LIMITS

/** Bytes of files whose mail exceeds the size that is warned about, as base64 takes four bytes for three. */
const warnedBytes = (warnedMailBytes * 3) / 4

/** Files that are attached to the template: chosen in the file manager or uploaded, renamed, removed. */
export function AttachmentList({ form }: { form: RecordForm<TemplateValues> }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const [isChoosing, setChoosing] = useState(false)
  const field = form.field('attachments')
  const { attachments } = form.values
  const bytes = attachments.reduce((sum, { size }) => sum + size, 0)
  const change = (path: string, name: string) =>
    form.set(
      'attachments',
      attachments.map(each => (each.path === path ? { ...each, name } : each)),
    )
  const remove = (attachment: Attachment) => {
    form.set(
      'attachments',
      attachments.filter(each => each !== attachment),
    )
    notify.success(t('content.message.attachments.removed', { name: attachment.name }), {
      action: {
        label: t('content.message.attachments.undo'),
        run: () => form.set('attachments', attachments),
      },
    })
  }
  return (
    <div className={classes.stack} id={field.id} tabIndex={-1}>
      {attachments.length === 0 ? (
        <EmptyState
          title={t('content.message.attachments.none')}
          text={t('content.message.attachments.none_text', { count: most, size: format.bytes(totalBytes) })}
        />
      ) : (
        <SmallTable
          label={t('content.message.fields.attachments')}
          rows={attachments}
          rowKey={({ path }) => path}
          columns={[
            {
              id: 'name',
              header: t('content.message.attachments.name'),
              cell: ({ path, name }) => (
                <TextInput
                  size="xs"
                  aria-label={`${t('content.message.attachments.name')}: ${name}`}
                  value={name}
                  maxLength={nameCharacters}
                  onChange={event => change(path, event.currentTarget.value)}
                />
              ),
            },
            {
              id: 'type',
              header: t('content.message.attachments.type'),
              width: 140,
              cell: ({ mime_type }) => mime_type,
            },
            {
              id: 'size',
              header: t('content.message.attachments.size'),
              width: 100,
              align: 'end',
              cell: ({ size }) => format.bytes(size),
            },
            {
              id: 'remove',
              header: '',
              width: 48,
              cell: attachment => (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('content.message.attachments.remove', { name: attachment.name })}
                  onClick={() => remove(attachment)}
                >
                  <IconX size={16} />
                </ActionIcon>
              ),
            },
          ]}
        />
      )}
      {field.error && (
        <Text size="sm" c="red" role="alert">
          {field.error}
        </Text>
      )}
      <Group justify="space-between">
        <Button
          variant="default"
          leftSection={<IconPaperclip size={16} />}
          disabled={attachments.length >= most}
          onClick={() => setChoosing(true)}
        >
          {t('content.message.attachments.add')}
        </Button>
        {attachments.length > 0 && (
          <Text size="sm" c={bytes > totalBytes ? 'red' : 'dimmed'}>
            {t('content.message.attachments.total', {
              size: format.bytes(bytes),
              max: format.bytes(totalBytes),
              count: attachments.length,
              most,
            })}
          </Text>
        )}
      </Group>
      {bytes > warnedBytes && <Text size="sm">{t('content.message.attachments.weighty')}</Text>}
      {isChoosing && (
        <FilePicker
          kind="any"
          onPick={file => form.set('attachments', withFile(attachments, file))}
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  )
}

/** A file that is attached already is not attached twice. */
function withFile(attachments: readonly Attachment[], { url, name, size, type }: FileItem): Attachment[] {
  const path = url === null ? null : new URL(url, location.href).pathname
  if (path === null || attachments.some(each => each.path === path)) return [...attachments]
  return [...attachments, { path, name, mime_type: type, size }]
}
