import { domain } from '@emma/contract/resources/domain.ts'
import { espLogin } from '@emma/contract/resources/esp-login.ts'
import { mailclass } from '@emma/contract/resources/mailclass.ts'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow } from '@emma/ui/form/record-form.tsx'
import type { FormPart } from '@emma/ui/form/form-part.ts'
import { SelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import { Can } from '../session/can.tsx'
import { byName } from './by-name.ts'
import { SendingOptions } from './sending-options.tsx'
import type { SendingValues } from './sending-values.ts'

interface SenderFieldsProps {
  form: FormPart<
    Pick<SendingValues, 'domain_id' | 'fromname' | 'fromadr' | 'mailclass_id' | 'reply_to' | 'esp_id'>
  >
}

/** Fields of the sender, and of the mail class or the service that sends. */
export function SenderFields({ form }: SenderFieldsProps): ReactNode {
  const { t } = useTranslation()
  const { domains, mailclasses, services } = useSources()
  return (
    <>
      <SelectField
        form={form}
        name="domain_id"
        source={domains}
        isClearable={!form.field('domain_id').isRequired}
      />
      <FormRow>
        <TextField form={form} name="fromname" />
        <TextField form={form} name="fromadr" type="email" placeholder="news@example.com" />
      </FormRow>
      <SelectField
        form={form}
        name="mailclass_id"
        source={mailclasses}
        isClearable
        description={t('campaigns.hints.mailclass_id')}
      />
      <SendingOptions form={form} label={t('campaigns.sender_options')} names={['reply_to', 'esp_id']}>
        <TextField
          form={form}
          name="reply_to"
          type="email"
          description={t('campaigns.hints.reply_to')}
          placeholder={form.values.fromadr ?? ''}
        />
        <Can demand={{ all: ['EmmaEspLogin:get'] }}>
          <SelectField
            form={form}
            name="esp_id"
            source={services}
            isClearable
            description={t('campaigns.hints.esp_id')}
          />
        </Can>
      </SendingOptions>
    </>
  )
}

/** Domains, and active mail classes and sending services. */
function useSources() {
  const { t } = useTranslation()
  return useMemo(() => {
    const filters = { onlyactive: [true] }
    return {
      domains: resourceSource(api, domain, {
        toOption: row => ({ label: row.name, description: t(`deliverability.domain.states.${row.status}`) }),
        sort: byName,
      }),
      mailclasses: resourceSource(api, mailclass, {
        toOption: row => ({ label: row.name, ...(row.description ? { description: row.description } : {}) }),
        filters,
        sort: byName,
      }),
      services: resourceSource(api, espLogin, {
        toOption: row => ({ label: row.name }),
        filters,
        sort: byName,
      }),
    }
  }, [t])
}
