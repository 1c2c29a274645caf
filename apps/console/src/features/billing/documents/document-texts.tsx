import type { agb } from '@emma/contract/resources/agb.ts'
import { CodeEditor } from '@emma/ui/code/code-editor.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { Input, Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageTabs } from '../../../shell/i18n/language-tabs.tsx'
import type { FieldValues } from '../../../shell/resource/use-resource-form.ts'
import { DocumentText } from './document-text.tsx'

/** Fields of the form, in the order of its inputs. */
export const documentFields = [
  'version',
  'valid_from',
  'title_en',
  'html_en',
  'title_de',
  'html_de',
  'title_es',
  'html_es',
] as const

type DocumentValues = FieldValues<typeof agb, (typeof documentFields)[number]>

/** Title, HTML and preview of a document in each language. */
export function DocumentTexts({ form }: { form: RecordForm<DocumentValues> }): ReactNode {
  const { t } = useTranslation()
  const { values } = form
  const label = t('billing.document.sections.texts')
  return (
    <LanguageTabs
      label={label}
      fields={['title', 'html']}
      values={values}
      onChange={(field, text) => form.set(field, text)}
      faulty={form.problems.flatMap(({ field }) => field ?? [])}
      attempts={form.attempts}
    >
      {(lang, hint) => {
        const html = form.field(`html_${lang}`)
        const suggestion = hint('title')
        return (
          <Stack gap="md">
            <TextField
              form={form}
              name={`title_${lang}`}
              maxLength={200}
              {...(suggestion === undefined ? {} : { description: suggestion })}
            />
            <Input.Wrapper
              id={html.id}
              label={html.label}
              labelElement="div"
              description={hint('html') ?? t('billing.document.html_hint')}
              error={html.error}
              withAsterisk={html.isRequired}
            >
              <div id={html.id} tabIndex={-1} style={{ marginBlock: 6 }}>
                <CodeEditor
                  key={lang}
                  language="html"
                  label={html.label}
                  value={values[`html_${lang}`]}
                  onChange={text => form.set(`html_${lang}`, text)}
                  height={320}
                  hasError={html.error !== undefined}
                />
              </div>
            </Input.Wrapper>
            {values[`html_${lang}`].trim() !== '' && (
              <Input.Wrapper label={t('billing.document.preview')} labelElement="div">
                <Paper
                  component="section"
                  aria-label={t('billing.document.preview')}
                  withBorder
                  p="md"
                  mah={480}
                  style={{ overflowY: 'auto' }}
                >
                  <DocumentText document={{ ...values }} lang={lang} />
                </Paper>
              </Input.Wrapper>
            )}
          </Stack>
        )
      }}
    </LanguageTabs>
  )
}
