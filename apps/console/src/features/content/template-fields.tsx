import type { RecordOf } from '@emma/client/emma-client.ts'
import type { message } from '@emma/contract/resources/message.ts'
import { CodeEditor } from '@emma/ui/code/code-editor.tsx'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow } from '@emma/ui/form/record-form.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { TabPanels } from '@emma/ui/layout/url-tabs.tsx'
import { Alert, Button, Group, SegmentedControl, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './content.module.css'
import { LinkTable } from './link-table.tsx'
import { PlaceholderMenu } from './placeholder-menu.tsx'
import { htmlStarter, mjmlStarter } from './starters.ts'

type Message = RecordOf<typeof message>

/** What the form edits, in the order of its inputs. */
export const templateFields = [
  'name',
  'lang',
  'subject',
  'preheader',
  'body_mjml',
  'body_long',
  'body_text',
  'is_tracked',
  'urls',
] as const

export type TemplateValues = Pick<Message, (typeof templateFields)[number]>

export function templateValues(record: Message | null): TemplateValues {
  return {
    name: record?.name ?? '',
    lang: record?.lang ?? 'en',
    subject: record?.subject ?? '',
    preheader: record?.preheader ?? null,
    body_mjml: record ? record.body_mjml : mjmlStarter,
    body_long: record?.body_long ?? null,
    body_text: record?.body_text ?? null,
    is_tracked: record?.is_tracked ?? true,
    urls: record?.urls ?? [],
  }
}

interface TemplateFieldsProps {
  form: RecordForm<TemplateValues>
}

/** Subject and preheader, then the source, the text part and the links. */
export function TemplateFields({ form }: TemplateFieldsProps): ReactNode {
  const { t } = useTranslation()
  const [tab, setTab] = useState('source')
  return (
    <div className={classes.stack}>
      <FormRow>
        <TextField form={form} name="name" />
        <ChoiceField
          form={form}
          name="lang"
          choices={(['en', 'de', 'es'] as const).map(value => ({
            value,
            label: t(`content.languages.${value}`),
          }))}
        />
      </FormRow>
      <TextField form={form} name="subject" description={t('content.message.subject_hint')} />
      <TextField form={form} name="preheader" description={t('content.message.preheader_hint')} />
      <TabPanels
        label={t('content.message.sections.content')}
        chosen={tab}
        onChoose={setTab}
        tabs={[
          { id: 'source', label: t('content.message.tabs.source'), content: () => <Source form={form} /> },
          { id: 'text', label: t('content.message.tabs.text'), content: () => <TextPart form={form} /> },
          {
            id: 'links',
            label: t('content.message.tabs.links', { count: form.values.urls.length }),
            content: () => (
              <>
                <SwitchField form={form} name="is_tracked" description={t('content.message.tracking_hint')} />
                <LinkTable urls={form.values.urls} onChange={urls => form.set('urls', urls)} />
              </>
            ),
          },
        ]}
      />
    </div>
  )
}

/** MJML or HTML: one of the two is the source; the other one is empty. */
function Source({ form }: TemplateFieldsProps): ReactNode {
  const { t } = useTranslation()
  const kind = form.values.body_mjml === null ? 'html' : 'mjml'
  const name = kind === 'mjml' ? 'body_mjml' : 'body_long'
  const problems = form.problems.filter(({ field }) => field === 'body_mjml' || field === 'body_long')
  // What the other kind was comes back with it, until the page is left.
  const [other, setOther] = useState<string | null>(null)
  const change = (next: string) => {
    const starter = next === 'mjml' ? mjmlStarter : htmlStarter
    setOther(form.values[name])
    form.set(name, null)
    form.set(next === 'mjml' ? 'body_mjml' : 'body_long', other ?? starter)
  }
  return (
    <>
      <Group justify="space-between" mb="xs">
        <SegmentedControl
          size="xs"
          aria-label={t('content.message.fields.source')}
          data={[
            { value: 'mjml', label: 'MJML' },
            { value: 'html', label: 'HTML' },
          ]}
          value={kind}
          onChange={change}
        />
        <PlaceholderMenu onPick={text => form.set(name, insertBeforeEnd(form.values[name] ?? '', text))} />
      </Group>
      {problems.map(({ message: words }) => (
        <Alert key={words} color="red" mb="xs">
          {words}
        </Alert>
      ))}
      <CodeEditor
        language={kind}
        label={t(`content.message.fields.${name}`)}
        value={form.values[name] ?? ''}
        onChange={text => form.set(name, text)}
        height={520}
      />
    </>
  )
}

function TextPart({ form }: TemplateFieldsProps): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t('content.message.text_hint')}
      </Text>
      <CodeEditor
        language="text"
        label={t('content.message.fields.body_text')}
        value={form.values.body_text ?? ''}
        onChange={text => form.set('body_text', text === '' ? null : text)}
        height={420}
      />
      {form.values.body_text !== null && (
        <Button variant="subtle" size="xs" mt="xs" onClick={() => form.set('body_text', null)}>
          {t('content.message.text_generate')}
        </Button>
      )}
    </>
  )
}

/** Where a placeholder lands that was picked from the menu: at the end of the content, before what closes it. */
export function insertBeforeEnd(source: string, text: string): string {
  const end = source.search(/<\/mj-text>(?![\s\S]*<\/mj-text>)|<\/body>/i)
  return end < 0 ? `${source}${text}` : `${source.slice(0, end)}${text}${source.slice(end)}`
}
