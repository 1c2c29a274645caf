import { message } from '@emma/contract/resources/message.ts'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import type { FormPart } from '@emma/ui/form/form-part.ts'
import { mailPicture } from '@emma/ui/mail-preview/mail-picture.ts'
import { SelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import { byName } from './by-name.ts'
import { CategoryFields } from './category-fields.tsx'
import type { TemplateValues } from './sending-values.ts'

interface TemplateFieldsProps {
  form: FormPart<TemplateValues>
  /** Below the template. */
  children?: ReactNode
}

/** Fields of the template, the subject and the categories. */
export function TemplateFields({ form, children }: TemplateFieldsProps): ReactNode {
  const { t } = useTranslation()
  const messages = useMemo(
    () =>
      resourceSource(api, message, {
        toOption: ({ name, subject, screenshot, body_long }) => ({
          label: name,
          description: subject,
          screenshot: screenshot ?? drawnHere(body_long),
        }),
        filters: { template_type: ['email'] },
        sort: byName,
      }),
    [],
  )
  return (
    <>
      <SelectField
        form={form}
        name="message_id"
        source={messages}
        isClearable={!form.field('message_id').isRequired}
      />
      {children}
      <TextField form={form} name="subject" description={t('campaigns.hints.subject')} maxLength={998} />
      <CategoryFields form={form} />
    </>
  )
}

/** Picture of a template that has none from the server. */
function drawnHere(html: string | null) {
  const picture = mailPicture(html)
  return picture === null ? null : { url_small: picture, url_large: picture }
}
