import type { RecordOf } from '@emma/client/emma-client.ts'
import { message } from '@emma/contract/resources/message.ts'
import type { RowAction } from '@emma/ui/list/list-parts.ts'
import { IconCopy } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { useRights } from '../../../shell/session/use-rights.ts'

type Message = RecordOf<typeof message>

/** Row action "Copy" for templates; opens the copy. No action without the permission. */
export function useCopyTemplate(): (row: Message) => RowAction[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mayCreate } = useRights(message)
  const copy = async (row: Message) => {
    const found = await api.find(message, row.message_id)
    const {
      subject,
      preheader,
      lang,
      body_mjml,
      body_long,
      body_text,
      charset,
      languages,
      attachments,
      is_tracked,
      urls,
    } = found
    const made = await api.create(message, {
      name: t('content.message.copy_of', { name: row.name }),
      subject,
      preheader,
      lang,
      body_mjml,
      body_long,
      body_text,
      charset,
      languages,
      attachments,
      is_tracked,
      urls,
    })
    await refresh(message)
    await navigate({ to: '/templates/edit/$id', params: { id: String(made.message_id) } })
  }
  if (!mayCreate) return () => []
  return row => [
    { id: 'copy', label: t('content.message.copy'), icon: <IconCopy size={16} />, run: () => copy(row) },
  ]
}
