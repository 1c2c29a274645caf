import type { RecordOf } from '@emma/client/emma-client.ts'
import { motd } from '@emma/contract/resources/motd.ts'
import { RecordForm } from '@emma/ui/form/record-form.tsx'
import { useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { refreshGuidance } from '../../../shell/guidance/guidance-query.ts'
import { inLanguage } from '../../../shell/guidance/in-language.ts'
import { saveRecord } from '../../../shell/resource/record-calls.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { useRecordEdit } from '../../../shell/resource/use-record-edit.ts'
import { isSuperadmin, useSession } from '../../../shell/session/use-session.ts'
import { MotdFields, motdFields, motdValues } from './motd-fields.tsx'
import { MotdPreview } from './motd-preview.tsx'

type Motd = RecordOf<typeof motd>

const path = '/messages'

/** R282: a message is either a banner with a type or a modal with a size. */
const required = [...motd.required.create, ['type', 'modal_size']]

/** Form of a message of the day. */
export default function MotdEdit(): ReactNode {
  const { t, i18n } = useTranslation()
  return (
    <RecordPage
      resource={motd}
      back={path}
      title={record => (record ? inLanguage(record, 'title', i18n.resolvedLanguage) : t('messages.motd.new'))}
    >
      {(record, id) => <MotdForm record={record} id={id} />}
    </RecordPage>
  )
}

function MotdForm({ record, id }: { record: Motd | null; id: number | null }): ReactNode {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const isAbove = isSuperadmin(useSession())
  const toList = () => void navigate({ to: path })
  const titleOf = (row: Motd) => inLanguage(row, 'title', i18n.resolvedLanguage)
  const edit = useRecordEdit(motd, { record, id, nameOf: titleOf, toList })
  const form = useRecordForm({
    ...edit.options,
    toValues: motdValues,
    labels: useFieldLabels(motd, motdFields),
    required,
    validate: ({ startdate, enddate, clients }) => ({
      enddate: startdate && enddate && enddate <= startdate ? t('messages.motd.end_fault') : null,
      clients: !isAbove && clients.length === 0 ? t('messages.motd.clients_fault') : null,
    }),
    save: (values, change) => saveRecord(motd, id, values, change),
    onSaved: saved => {
      edit.options.onSaved(saved)
      void refreshGuidance()
    },
  })
  return (
    <RecordForm form={form} removal={edit.removal}>
      <MotdFields form={form} preview={lang => <MotdPreview values={form.values} lang={lang} />} />
    </RecordForm>
  )
}
