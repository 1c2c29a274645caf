import { queryKeys } from '@emma/client/query-keys.ts'
import { formProcesses, pmt } from '@emma/contract/resources/pmt.ts'
import type { FormLanguage } from '@emma/contract/web-forms/form-texts.ts'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { Alert, Anchor, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import type { WebForm } from './use-web-form.ts'

interface WebFormEmailsProps {
  form: WebForm
  lang: FormLanguage
}

/** Process mails that a form uses in a language, and the pages after submission and confirmation. */
export function WebFormEmails({ form, lang }: WebFormEmailsProps): ReactNode {
  const { t } = useTranslation()
  const mayReadTexts = usePermission({ all: ['EmmaPmt:get'] })
  return (
    <Stack>
      {mayReadTexts && <ProcessTexts form={form} lang={lang} />}
      <TextField
        form={form}
        name="thanks_url"
        placeholder="https://"
        description={t('audience.webform.thanks_hint')}
      />
      <TextField
        form={form}
        name="confirmed_url"
        placeholder="https://"
        description={t('audience.webform.confirmed_hint')}
      />
    </Stack>
  )
}

function ProcessTexts({ form, lang }: WebFormEmailsProps): ReactNode {
  const { t } = useTranslation()
  const query = { filters: { lang: [lang] } }
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.list(pmt, query),
    queryFn: ({ signal }) => api.listAll(pmt, query, { signal }),
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  const { pmt_ids: chosen } = form.values
  const fault = form.field('pmt_ids').error
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('audience.webform.emails_hint')}{' '}
        <Anchor inherit renderRoot={props => <Link to="/settings/pmtemplates" {...props} />}>
          {t('audience.webform.edit_process_mails')}
        </Anchor>
      </Text>
      {fault && <Alert color="red">{fault}</Alert>}
      {formProcesses.map(process => {
        const texts = (data ?? []).filter(text => text.process === process)
        const present = texts.find(({ pmt_id }) => chosen.includes(pmt_id))
        const others = chosen.filter(id => !texts.some(({ pmt_id }) => pmt_id === id))
        return (
          <NativeSelect
            key={process}
            label={t(`content.pmt.processes.${process}`)}
            disabled={!data}
            data={[
              { value: '', label: t('audience.webform.default_text') },
              ...texts.map(({ pmt_id, name, active }) => ({
                value: String(pmt_id),
                label: active ? name : t('audience.webform.inactive_text', { name }),
              })),
            ]}
            value={present ? String(present.pmt_id) : ''}
            onChange={event => {
              const id = Number(event.currentTarget.value)
              form.set('pmt_ids', id === 0 ? others : [...others, id])
            }}
          />
        )
      })}
    </Stack>
  )
}
