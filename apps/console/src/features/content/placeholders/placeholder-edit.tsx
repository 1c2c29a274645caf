import type { RecordOf } from '@emma/client/emma-client.ts'
import { placeholder, placeholderTypes } from '@emma/contract/resources/placeholder.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { CodeEditor } from '@emma/ui/code/code-editor.tsx'
import type { RecordForm as RecordFormOf } from '@emma/ui/form/use-record-form.ts'
import { Input, SegmentedControl, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import { FeedFields } from './feed-fields.tsx'
import { PlaceholderPreview } from './placeholder-preview.tsx'
import { PlaceholderUsage } from './placeholder-usage.tsx'

type Placeholder = RecordOf<typeof placeholder>
type Values = Pick<Placeholder, (typeof fields)[number]>

const fields = [
  'name',
  'token',
  'type',
  'body',
  'is_mandatory',
  'feed_url',
  'feed_header',
  'feed_secret',
  'feed_scope',
  'feed_max',
  'feed_only_new',
  'feed_if_empty',
] as const
const languages = ['en', 'de', 'es'] as const

/** Form of a module with one text per language. */
export default function PlaceholderEdit(): ReactNode {
  return <RecordPage resource={placeholder}>{record => <PlaceholderForm record={record} />}</RecordPage>
}

function PlaceholderForm({ record }: { record: Placeholder | null }): ReactNode {
  const { t } = useTranslation()
  const form = useResourceForm(placeholder, record, { fields, secret: ['feed_secret'] })
  const mayReadTemplates = usePermission({ all: ['EmmaMessage:get'] })
  const [language, setLanguage] = useState<(typeof languages)[number]>('en')
  const bodies = form.field('body')
  const isFeed = form.values.type === 'feed'
  const isData = form.values.type === 'data'
  // The server has the items of a saved feed.
  const hasItems = isFeed && record?.type === 'feed'
  const filled = languages.filter(one => form.values.body[one]?.trim())
  const shown = filled.includes(language) ? language : (filled[0] ?? language)
  const hasPreview = hasItems || (filled.length > 0 && !isFeed && !isData)
  return (
    <RecordForm form={form}>
      <FormSection
        title={t('content.placeholder.sections.general')}
        description={t('content.placeholder.general_text')}
      >
        <FormRow>
          <TextField form={form} name="name" />
          <TextField
            form={form}
            name="token"
            {...(!isData && { description: t('content.placeholder.token_hint') })}
            isMonospaced
          />
        </FormRow>
        <ChoiceField
          form={form}
          name="type"
          choices={placeholderTypes.map(value => ({ value, label: t(`content.placeholder.types.${value}`) }))}
        />
        {!isData && (
          <SwitchField
            form={form}
            name="is_mandatory"
            description={t('content.placeholder.mandatory_hint')}
          />
        )}
      </FormSection>
      {(isFeed || isData) && <FeedFields form={form} record={record} />}
      {!isData && (
        <FormSection
          title={isFeed ? t('content.placeholder.feed.item') : t('content.placeholder.fields.body')}
          description={isFeed ? t('content.placeholder.feed.item_text') : t('content.placeholder.body_text')}
        >
          {bodies.error && (
            <Input.Error id={bodies.id} tabIndex={-1}>
              {bodies.error}
            </Input.Error>
          )}
          {languages.map(language => (
            <Body key={language} form={form} language={language} />
          ))}
        </FormSection>
      )}
      {hasPreview && mayReadTemplates && (
        <FormSection
          title={t('content.placeholder.preview')}
          description={t(
            isFeed ? 'content.placeholder.feed.preview_text' : 'content.placeholder.preview_text',
          )}
        >
          {filled.length > 0 && (
            <SegmentedControl
              aria-label={t('content.message.fields.lang')}
              data={filled.map(value => ({ value, label: t(`content.languages.${value}`) }))}
              value={shown}
              onChange={chosen => setLanguage(languages.find(known => known === chosen) ?? 'en')}
            />
          )}
          <PlaceholderPreview
            type={form.values.type}
            lang={shown}
            body={form.values.body[shown] ?? ''}
            feed={{ token: record?.token ?? '', max: form.values.feed_max }}
          />
        </FormSection>
      )}
      {record && (
        <FormSection
          title={t('content.placeholder.usage.title')}
          description={t('content.placeholder.usage.text')}
        >
          <PlaceholderUsage record={record} />
        </FormSection>
      )}
    </RecordForm>
  )
}

/** Text in one language: HTML in a code editor, plain text in a textarea. */
function Body({
  form,
  language,
}: {
  form: RecordFormOf<Values>
  language: (typeof languages)[number]
}): ReactNode {
  const { t } = useTranslation()
  const { body, type } = form.values
  const label = t(`content.languages.${language}`)
  const change = (text: string) => form.set('body', { ...body, [language]: text })
  if (type === 'html' || type === 'code' || type === 'mjml' || type === 'feed')
    return (
      <Input.Wrapper label={label} labelElement="div">
        <CodeEditor
          language="html"
          label={label}
          value={body[language] ?? ''}
          onChange={change}
          height={180}
        />
      </Input.Wrapper>
    )
  return (
    <Textarea
      label={label}
      autosize
      minRows={type === 'text' ? 3 : 1}
      maxRows={16}
      value={body[language] ?? ''}
      onChange={event => change(event.currentTarget.value)}
    />
  )
}
