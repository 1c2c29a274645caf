import type { RecordOf } from '@emma/client/emma-client.ts'
import { mailclass } from '@emma/contract/resources/mailclass.ts'
import { RecordForm } from '@emma/ui/form/record-form.tsx'
import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { MailclassFields } from './mailclass-fields.tsx'
import { mailclassFields } from './mailclass-values.ts'
import { WarmupCard } from '../warm-up/warmup-card.tsx'
import { readVolumes, writeVolumes } from '../warm-up/warmup-volumes.ts'

type Mailclass = RecordOf<typeof mailclass>

/** Form of a mail class. */
export default function MailclassEdit(): ReactNode {
  return (
    <RecordPage resource={mailclass}>
      {record => (
        <Stack gap="xl">
          {record && (
            <WarmupCard
              what="mailclass"
              id={record.mailclass_id}
              start={record.warmup_start}
              volumes={record.warmup_volumes}
            />
          )}
          <MailclassForm record={record} />
        </Stack>
      )}
    </RecordPage>
  )
}

function MailclassForm({ record }: { record: Mailclass | null }): ReactNode {
  const { t } = useTranslation()
  const form = useResourceForm(mailclass, record, {
    fields: mailclassFields,
    // Text input: 50, 100, 200.
    toValues: ({ warmup_volumes, ...values }) => ({
      ...values,
      smtp_port: values.smtp_port ?? 25,
      warmup_volumes: writeVolumes(warmup_volumes),
    }),
    toBody: ({ warmup_volumes, ...values }) => ({
      ...values,
      ...(warmup_volumes === undefined ? {} : { warmup_volumes: readVolumes(warmup_volumes) ?? [] }),
    }),
    secret: ['smtp_password'],
    validate: ({ name, transport, smtp_host, warmup_volumes }) => ({
      warmup_volumes: readVolumes(warmup_volumes) === null ? t('deliverability.mailclass.warmup_hint') : null,
      name: /^(?!.*__)[A-Za-z_]{2,64}$/.test(name) ? null : t('deliverability.mailclass.name_rule'),
      smtp_host: transport === 'smtp' && !smtp_host ? t('deliverability.mailclass.host_missing') : null,
    }),
  })
  return (
    <RecordForm form={form}>
      <MailclassFields form={form} isPasswordSet={record?.smtp_password_set ?? false} />
    </RecordForm>
  )
}
