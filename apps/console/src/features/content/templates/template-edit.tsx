import { testMessage } from '@emma/contract/actions/content.ts'
import type { RecordOf } from '@emma/client/emma-client.ts'
import { languageParts, type MessageLanguage } from '@emma/contract/message-languages.ts'
import { message, requiredOfTemplate } from '@emma/contract/resources/message.ts'
import { RecordForm } from '@emma/ui/form/record-form.tsx'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import classes from '../content.module.css'
import { BranchMenu } from '../design/branch-menu.tsx'
import type { Branches } from '../design/branches.ts'
import { useDesign } from '../design/use-design.ts'
import { useDesignFaults } from '../design/use-design-faults.tsx'
import { LanguageBar } from './language-bar.tsx'
import { languageForm } from './language-form.ts'
import { languagePartsOf, mergedTexts } from './language-parts.ts'
import { OtherEditors } from './other-editors.tsx'
import { StartChooser } from './start-chooser.tsx'
import { plainMjml, type Start } from './starters.ts'
import { TemplateFields } from './template-fields.tsx'
import { templateFields } from './template-values.ts'
import { TemplatePreview } from './template-preview.tsx'
import { useTemplateRendering, type Viewer } from './template-rendering.ts'
import { api } from '../../../shell/session/api.ts'
import { TestSend, type TestTargets } from './test-send.tsx'
import { useSource } from './use-source.ts'
import { VersionsButton } from './versions/versions-button.tsx'
import { ViewerChoice } from './viewer-choice.tsx'

type Message = RecordOf<typeof message>

/** Form of a template: source on the left, preview on the right. */
export default function TemplateEdit(): ReactNode {
  const { campaign }: { campaign?: unknown } = useSearch({ strict: false })
  // Opened from a campaign: the way back leads to it.
  const back = typeof campaign === 'number' ? { back: `/campaigns/edit/${campaign}` } : {}
  return (
    <RecordPage
      resource={message}
      {...back}
      subtitle={record => <OtherEditors messageId={record.message_id} />}
    >
      {record => (record ? <TemplateForm record={record} start={plainMjml} /> : <NewTemplate />)}
    </RecordPage>
  )
}

/** Asks for the starting point of a new template first. */
function NewTemplate(): ReactNode {
  const [start, setStart] = useState<Start | null>(null)
  if (start === null) return <StartChooser onChoose={setStart} />
  return <TemplateForm record={null} start={start} />
}

interface TemplateFormProps {
  record: Message | null
  start: Start
}

function TemplateForm({ record, start }: TemplateFormProps): ReactNode {
  const { t } = useTranslation()
  const labels = useFieldLabels(message, languageParts)
  const id = record?.message_id ?? null
  const { viewer, memberTableId, chooseViewer, chooseTable } = useViewer()
  const templateForm = useResourceForm(message, record, {
    fields: templateFields,
    initial: start,
    required: requiredOfTemplate,
    afterCreate: 'record',
    mergeText: mergedTexts,
    mergeParts: languagePartsOf(labels, lang => t(`content.languages.${lang}`)),
  })
  const [chosen, setChosen] = useState<MessageLanguage | null>(null)
  const { languages } = templateForm.values
  const language = languages.some(each => each.lang === chosen) ? chosen : null
  const form = languageForm(templateForm, language)
  const source = useSource(form.idOf, 'design')
  const isDesign = source.tab === 'design'
  const [branches, setBranches] = useState<Branches>(new Map())
  const rendering = { viewer, memberTableId, branches }
  const { mail, error, faults, isWaiting } = useTemplateRendering(id ?? 0, form.values, rendering)
  const body = form.values.body_mjml === null ? 'body_long' : 'body_mjml'
  const design = useDesign(form.values[body] ?? '', body === 'body_mjml' ? 'mjml' : 'html', text =>
    form.set(body, text),
  )
  const designFaults = useDesignFaults(design, faults, isDesign)
  const sendTo = useCallback(
    (targets: TestTargets) =>
      api.call(testMessage, {
        params: {},
        body: { ...targets, message_id: id ?? 0, member_id: viewer?.memberId ?? 0 },
      }),
    [id, viewer],
  )
  const previewTools = (
    <>
      <BranchMenu
        source={form.values[body] ?? ''}
        memberTableId={memberTableId}
        branches={branches}
        onChange={setBranches}
      />
      <ViewerChoice
        viewer={viewer}
        memberTableId={memberTableId}
        onChoose={chooseViewer}
        onTable={chooseTable}
      />
    </>
  )
  return (
    <RecordForm
      form={templateForm}
      actions={id !== null && <VersionsButton messageId={id} hasChanges={templateForm.isDirty} />}
    >
      <div className={isDesign ? classes.stack : classes.split}>
        <TemplateFields
          key={language ?? 'default'}
          form={form}
          languageBar={<LanguageBar form={templateForm} chosen={language} onChoose={setChosen} />}
          faults={faults}
          tab={source.tab}
          onTab={source.setTab}
          editor={source.editor}
          design={design}
          messageId={id ?? 0}
          rendering={rendering}
          renderedSubject={mail?.subject ?? null}
          previewTools={previewTools}
        />
        <div className={isDesign ? classes.stack : classes.beside}>
          <TemplatePreview
            mail={isDesign ? null : mail}
            hasPreview={!isDesign}
            error={error}
            isWaiting={isWaiting}
            faults={faults}
            preheader={form.values.preheader}
            tools={previewTools}
            onGo={fault => {
              if (!designFaults.go(fault)) source.go(fault)
            }}
            fixesOf={designFaults.fixesOf}
          />
          {id !== null && <TestSend sendTo={sendTo} isDirty={form.isDirty} />}
        </div>
      </div>
    </RecordForm>
  )
}

/** Member whose data the preview uses: selected by datasource, then member; null for sample data. */
function useViewer() {
  const { data: datasources = [] } = useDatasources()
  const [viewer, setViewer] = useState<Viewer | null>(null)
  const [table, setTable] = useState<number | null>(null)
  const only = datasources.length === 1 ? (datasources[0]?.member_table_id ?? null) : null
  return {
    viewer,
    memberTableId: table ?? only,
    chooseViewer: setViewer,
    chooseTable: (id: number | null) => {
      setTable(id)
      setViewer(null)
    },
  }
}
