import type { RecordOf } from '@emma/client/emma-client.ts'
import { mailclass } from '@emma/contract/resources/mailclass.ts'
import { RecordForm } from '@emma/ui/form/record-form.tsx'
import { useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { saveRecord } from '../../../shell/resource/record-calls.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { useRecordEdit } from '../../../shell/resource/use-record-edit.ts'
import { MailclassFields } from './mailclass-fields.tsx'
import { mailclassFields, mailclassValues } from './mailclass-values.ts'
import { WarmupCard } from '../warm-up/warmup-card.tsx'
import { readVolumes } from '../warm-up/warmup-volumes.ts'

type Mailclass = RecordOf<typeof mailclass>

const path = '/settings/mailclasses'

/** One mail class, or a new one. */
export default function MailclassEdit(): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage
      resource={mailclass}
      back={path}
      title={record => record?.name ?? t('deliverability.mailclass.new')}
    >
      {(record, id) => (
        <Stack gap="xl">
          {record && (
            <WarmupCard
              what="mailclass"
              id={record.mailclass_id}
              start={record.warmup_start}
              volumes={record.warmup_volumes}
            />
          )}
          <MailclassForm record={record} id={id} />
        </Stack>
      )}
    </RecordPage>
  )
}

function MailclassForm({ record, id }: { record: Mailclass | null; id: number | null }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const toList = () => void navigate({ to: path })
  const edit = useRecordEdit(mailclass, { record, id, nameOf: row => row.name, toList })
  const form = useRecordForm({
    ...edit.options,
    toValues: mailclassValues,
    labels: useFieldLabels(mailclass, mailclassFields),
    secret: ['smtp_password'],
    validate: ({ name, transport, smtp_host, warmup_volumes }) => ({
      warmup_volumes: readVolumes(warmup_volumes) === null ? t('deliverability.mailclass.warmup_hint') : null,
      name: /^(?!.*__)[A-Za-z_]{2,64}$/.test(name) ? null : t('deliverability.mailclass.name_rule'),
      smtp_host: transport === 'smtp' && !smtp_host ? t('deliverability.mailclass.host_missing') : null,
    }),
    save: ({ warmup_volumes, ...values }, { changed, revision }) => {
      const { warmup_volumes: newVolumes, ...others } = changed
      return saveRecord(
        mailclass,
        id,
        { ...values, warmup_volumes: readVolumes(warmup_volumes) ?? [] },
        {
          changed:
            newVolumes === undefined ? others : { ...others, warmup_volumes: readVolumes(newVolumes) ?? [] },
          revision,
        },
      )
    },
  })
  return (
    <RecordForm form={form} removal={edit.removal}>
      <MailclassFields form={form} isPasswordSet={record?.smtp_password_set ?? false} />
    </RecordForm>
  )
}
