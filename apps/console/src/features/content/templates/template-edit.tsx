import { testMessage } from '@emma/contract/actions/content.ts'
import type { RecordOf } from '@emma/client/emma-client.ts'
import { message, requiredOfTemplate } from '@emma/contract/resources/message.ts'
import { mergeLines } from '@emma/ui/form/merge-lines.ts'
import { RecordForm } from '@emma/ui/form/record-form.tsx'
import { type ReactNode, useState } from 'react'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import classes from '../content.module.css'
import { useCanvasMail } from '../design/use-canvas-mail.ts'
import { useDesign } from '../design/use-design.ts'
import { StartChooser } from './start-chooser.tsx'
import { plainMjml, type Start } from './starters.ts'
import { TemplateFields } from './template-fields.tsx'
import { templateFields } from './template-values.ts'
import { TemplatePreview } from './template-preview.tsx'
import { useTemplateRendering, type Viewer } from './template-rendering.ts'
import { api } from '../../../shell/session/api.ts'
import { TestSend } from './test-send.tsx'
import { useSource } from './use-source.ts'
import { VersionsButton } from './versions/versions-button.tsx'
import { ViewerChoice } from './viewer-choice.tsx'

type Message = RecordOf<typeof message>

/** Form of a template: source on the left, preview on the right. */
export default function TemplateEdit(): ReactNode {
  return (
    <RecordPage resource={message}>
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

const mergedTexts = { body_mjml: mergeLines, body_long: mergeLines, body_text: mergeLines }

interface TemplateFormProps {
  record: Message | null
  start: Start
}

function TemplateForm({ record, start }: TemplateFormProps): ReactNode {
  const id = record?.message_id ?? null
  const { viewer, memberTableId, chooseViewer, chooseTable } = useViewer()
  const form = useResourceForm(message, record, {
    fields: templateFields,
    initial: start,
    required: requiredOfTemplate,
    afterCreate: 'record',
    mergeText: mergedTexts,
  })
  const source = useSource(form.idOf, 'design')
  const isDesign = source.tab === 'design'
  const { mail, error, faults, isWaiting } = useTemplateRendering(id ?? 0, form.values, {
    viewer,
    memberTableId,
    hasCanvas: isDesign,
  })
  const body = form.values.body_mjml === null ? 'body_long' : 'body_mjml'
  const design = useDesign(form.values[body] ?? '', body === 'body_mjml' ? 'mjml' : 'html', text =>
    form.set(body, text),
  )
  const canvas = useCanvasMail(design.tree, mail)
  return (
    <RecordForm
      form={form}
      actions={id !== null && <VersionsButton messageId={id} hasChanges={form.isDirty} />}
    >
      <div className={isDesign ? classes.stack : classes.split}>
        <TemplateFields
          form={form}
          faults={faults}
          tab={source.tab}
          onTab={source.setTab}
          editor={source.editor}
          memberTableId={memberTableId}
          design={design}
          canvas={canvas}
          renderedSubject={mail?.subject ?? null}
          viewerChoice={
            <ViewerChoice
              viewer={viewer}
              memberTableId={memberTableId}
              onChoose={chooseViewer}
              onTable={chooseTable}
            />
          }
        />
        <div className={isDesign ? classes.stack : classes.beside}>
          <TemplatePreview
            mail={isDesign ? null : mail}
            hasPreview={!isDesign}
            error={error}
            isWaiting={isWaiting}
            faults={faults}
            preheader={form.values.preheader}
            tools={
              <ViewerChoice
                viewer={viewer}
                memberTableId={memberTableId}
                onChoose={chooseViewer}
                onTable={chooseTable}
              />
            }
            onGo={source.go}
          />
          {id !== null && (
            <TestSend
              sendTo={targets =>
                api.call(testMessage, {
                  params: {},
                  body: { ...targets, message_id: id, member_id: viewer?.memberId ?? 0 },
                })
              }
              isDirty={form.isDirty}
            />
          )}
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
