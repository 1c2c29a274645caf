import type { RecordOf } from '@emma/client/emma-client.ts'
import { motd } from '@emma/contract/resources/motd.ts'
import { RecordForm } from '@emma/ui/form/record-form.tsx'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refreshGuidance } from '../../../shell/guidance/guidance-query.ts'
import { inLanguage } from '../../../shell/guidance/in-language.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { isSuperadmin, useSession } from '../../../shell/session/use-session.ts'
import { MotdFields, motdFields } from './motd-fields.tsx'
import { MotdPreview } from './motd-preview.tsx'

type Motd = RecordOf<typeof motd>

/** R282: a message is either a banner with a type or a modal with a size. */
const required = [...motd.required.create, ['type', 'modal_size']]

/** Form of a message of the day. */
export default function MotdEdit(): ReactNode {
  const { t, i18n } = useTranslation()
  return (
    <RecordPage
      resource={motd}
      title={record => (record ? inLanguage(record, 'title', i18n.resolvedLanguage) : t('messages.motd.new'))}
    >
      {record => <MotdForm record={record} />}
    </RecordPage>
  )
}

function MotdForm({ record }: { record: Motd | null }): ReactNode {
  const { t, i18n } = useTranslation()
  const isAbove = isSuperadmin(useSession())
  const [now] = useState(() => new Date().toISOString())
  const form = useResourceForm(motd, record, {
    fields: motdFields,
    // A new message is a banner that starts now.
    initial: { type: 'info', startdate: now },
    nameOf: row => inLanguage(row, 'title', i18n.resolvedLanguage),
    required,
    validate: ({ startdate, enddate, clients }) => ({
      enddate: startdate && enddate && enddate <= startdate ? t('messages.motd.end_fault') : null,
      clients: !isAbove && clients.length === 0 ? t('messages.motd.clients_fault') : null,
    }),
    onSaved: () => void refreshGuidance(),
  })
  return (
    <RecordForm form={form}>
      <MotdFields form={form} preview={lang => <MotdPreview values={form.values} lang={lang} />} />
    </RecordForm>
  )
}
