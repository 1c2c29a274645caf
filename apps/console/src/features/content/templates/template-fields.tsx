import { messageLanguages } from '@emma/contract/message-languages.ts'
import { mailCharsets } from '@emma/contract/resources/message.ts'
import type { EditorHandle } from '@emma/ui/code/code-editor.tsx'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow } from '@emma/ui/form/record-form.tsx'
import { useFormPart } from '@emma/ui/form/use-form-part.ts'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { TabPanels } from '@emma/ui/layout/url-tabs.tsx'
import { SegmentedControl } from '@mantine/core'
import { memo, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../content.module.css'
import type { Design } from '../design/use-design.ts'
import { AttachmentList } from './attachment-list.tsx'
import { LinkTable } from './link-table.tsx'
import { plainHtml, plainMjml } from './starters.ts'
import type { TemplateValues } from './template-values.ts'
import { SourceEditor } from './source-editor.tsx'
import { SubjectLine } from './subject/subject-line.tsx'
import type { TemplateFault } from './template-faults.ts'
import { TemplateDesign } from './template-design.tsx'
import type { RenderingOptions } from './template-rendering.ts'
import { TextPart } from './text-part.tsx'

/** Tabs of a template's parts. */
export type TemplateTab = 'design' | 'source' | 'text' | 'links' | 'attachments'

interface TemplateFieldsProps {
  form: RecordForm<TemplateValues>
  faults: readonly TemplateFault[]
  tab: TemplateTab
  onTab: (tab: TemplateTab) => void
  /** 0: not saved yet. */
  messageId: number
  /** The columns that can be inserted are those of its datasource. */
  rendering: RenderingOptions
  /** Ref of the open editor. */
  editor: RefObject<EditorHandle | null>
  /** The source as a tree, for the visual editor. */
  design: Design
  /** Subject of the last rendering. */
  renderedSubject: string | null
  /** Choice of the recipient and of the branches that the canvas shows. */
  previewTools: ReactNode
  /** Choice of the language that is edited. */
  languageBar: ReactNode
}

/** With those of the further languages, which are one field. */
const subjectFields = ['subject', 'preheader', 'lang', 'languages'] as const

const tabIds = ['design', 'source', 'text', 'links', 'attachments'] as const

/** Fields of subject and preheader, and tabs of source, text part and links. */
export function TemplateFields(props: TemplateFieldsProps): ReactNode {
  const { form, messageId, faults, tab, onTab, rendering, design, previewTools, renderedSubject } = props
  const { languageBar } = props
  const { memberTableId } = rendering
  const source = useRef('')
  useEffect(() => {
    source.current = form.values.body_mjml ?? form.values.body_long ?? ''
  })
  const sourceOf = useCallback(() => source.current, [])
  const { t } = useTranslation()
  return (
    <div className={classes.stack}>
      <TemplateHead form={useFormPart(form, headFields)} />
      {languageBar}
      <SubjectLine
        form={useFormPart(form, subjectFields)}
        sourceOf={sourceOf}
        faults={faults}
        memberTableId={memberTableId}
        rendered={renderedSubject}
      />
      <TabPanels
        label={t('content.message.sections.content')}
        chosen={tab}
        onChoose={id => onTab(tabIds.find(known => known === id) ?? 'design')}
        tabs={[
          {
            id: 'design',
            label: t('content.message.tabs.design'),
            content: () => (
              <TemplateDesign
                messageId={messageId}
                values={form.values}
                rendering={rendering}
                design={design}
                tools={previewTools}
              />
            ),
          },
          { id: 'source', label: t('content.message.tabs.source'), content: () => <Source {...props} /> },
          {
            id: 'text',
            label: t('content.message.tabs.text'),
            content: () => (
              <TextPart
                faults={faults}
                memberTableId={memberTableId}
                editor={props.editor}
                value={form.values.body_text}
                onChange={text => form.set('body_text', text)}
              />
            ),
          },
          {
            id: 'links',
            label: t('content.message.tabs.links', { count: form.values.urls.length }),
            content: () => (
              <>
                <SwitchField form={form} name="is_tracked" description={t('content.message.tracking_hint')} />
                <LinkTable
                  urls={form.values.urls}
                  isTracked={form.values.is_tracked}
                  onChange={urls => form.set('urls', urls)}
                />
              </>
            ),
          },
          {
            id: 'attachments',
            label: t('content.message.tabs.attachments', { count: form.values.attachments.length }),
            content: () => <AttachmentList form={form} />,
          },
        ]}
      />
    </div>
  )
}

const headFields = ['name', 'lang', 'category', 'collection', 'charset', 'languages'] as const

const TemplateHead = memo(function TemplateHead({ form }: { form: RecordForm<TemplateValues> }): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <FormRow>
        <TextField form={form} name="name" maxLength={255} />
        <ChoiceField
          form={form}
          name="lang"
          choices={messageLanguages
            .filter(value => !form.values.languages.some(each => each.lang === value))
            .map(value => ({ value, label: t(`content.languages.${value}`) }))}
        />
      </FormRow>
      <FormRow>
        <TextField form={form} name="category" maxLength={100} />
        <TextField form={form} name="collection" maxLength={100} />
        <ChoiceField
          form={form}
          name="charset"
          choices={mailCharsets.map(value => ({ value, label: value.toUpperCase() }))}
        />
      </FormRow>
    </>
  )
})

/** Source editor: MJML or HTML; the other field is null. */
function Source({ form, faults, editor, rendering: { memberTableId } }: TemplateFieldsProps): ReactNode {
  const { t } = useTranslation()
  const kind = form.values.body_mjml === null ? 'html' : 'mjml'
  const name = kind === 'mjml' ? 'body_mjml' : 'body_long'
  // Keeps the content of the other format for switching back while the page is open.
  const [other, setOther] = useState<string | null>(null)
  const change = (next: string) => {
    const start = next === 'mjml' ? plainMjml.body_mjml : plainHtml.body_long
    setOther(form.values[name])
    form.set(name, null)
    form.set(next === 'mjml' ? 'body_mjml' : 'body_long', other ?? start)
  }
  return (
    <SourceEditor
      field={name}
      label={t(`content.message.fields.${name}`)}
      value={form.values[name] ?? ''}
      onChange={text => form.set(name, text)}
      faults={faults}
      memberTableId={memberTableId}
      editor={editor}
      height="max(420px, calc(100dvh - 470px))"
      head={
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
      }
    />
  )
}
