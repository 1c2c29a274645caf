import type { RecordOf } from '@emma/client/emma-client.ts'
import { message, requiredOfTemplate } from '@emma/contract/resources/message.ts'
import type { EditorHandle } from '@emma/ui/code/code-editor.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { RecordForm } from '@emma/ui/form/record-form.tsx'
import { useRecordForm } from '@emma/ui/form/use-record-form.ts'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  reloadRecord,
  removeRecord,
  restoreRecord,
  saveRecord,
} from '../../../shell/resource/record-calls.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import { useFieldLabels } from '../../../shell/i18n/use-field-labels.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import classes from '../content.module.css'
import { StartChooser } from './start-chooser.tsx'
import { plainMjml, type Start } from './starters.ts'
import { TemplateFields, type TemplateTab } from './template-fields.tsx'
import { templateFields, templateValues } from './template-values.ts'
import { TemplatePreview } from './template-preview.tsx'
import type { TemplateFault } from './template-faults.ts'
import { useTemplateRendering, type Viewer } from './template-rendering.ts'
import { TestSend } from './test-send.tsx'

type Message = RecordOf<typeof message>

const path = '/templates/archive'

/** Form of a template: source on the left, preview on the right. */
export default function TemplateEdit(): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage resource={message} back={path} title={record => record?.name ?? t('content.message.new')}>
      {(record, id) =>
        record ? <TemplateForm record={record} id={id} start={plainMjml} /> : <NewTemplate />
      }
    </RecordPage>
  )
}

/** Asks for the starting point of a new template first. */
function NewTemplate(): ReactNode {
  const [start, setStart] = useState<Start | null>(null)
  if (start === null) return <StartChooser onChoose={setStart} />
  return <TemplateForm record={null} id={null} start={start} />
}

interface TemplateFormProps {
  record: Message | null
  id: number | null
  start: Start
}

function TemplateForm({ record, id, start }: TemplateFormProps): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mayDelete } = useRights(message)
  const { viewer, memberTableId, chooseViewer, chooseTable } = useViewer()
  const toList = () => void navigate({ to: path })
  const form = useRecordForm({
    resource: message,
    recordKey: id,
    record,
    toValues: (stored: Message | null) => templateValues(stored, start),
    labels: useFieldLabels(message, templateFields),
    required: requiredOfTemplate,
    save: (values, change) => saveRecord(message, id, values, change),
    ...(id === null ? {} : { reload: () => reloadRecord(message, id) }),
    onSaved: saved => {
      notify.success(t('action.saved', { name: saved.name }))
      if (id === null)
        void navigate({ to: '/templates/edit/$id', params: { id: String(saved.message_id) }, replace: true })
    },
  })
  const { mail, error, faults, isWaiting } = useTemplateRendering(id ?? 0, form.values, {
    viewer,
    memberTableId,
  })
  const source = useSource(form.idOf)
  return (
    <RecordForm
      form={form}
      removal={
        record && mayDelete
          ? {
              name: record.name,
              run: () => removeRecord(message, record.message_id),
              restore: () => restoreRecord(message, record.message_id),
              onRemoved: toList,
            }
          : undefined
      }
    >
      <div className={classes.split}>
        <TemplateFields
          form={form}
          faults={faults}
          tab={source.tab}
          onTab={source.setTab}
          editor={source.editor}
          memberTableId={memberTableId}
        />
        <div className={classes.beside}>
          <TemplatePreview
            mail={mail}
            error={error}
            isWaiting={isWaiting}
            faults={faults}
            preheader={form.values.preheader}
            viewer={viewer}
            memberTableId={memberTableId}
            onViewer={chooseViewer}
            onTable={chooseTable}
            onGo={source.go}
          />
          {id !== null && <TestSend messageId={id} viewer={viewer} isDirty={form.isDirty} />}
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

/** The open tab, and a function that shows a fault's position. */
function useSource(idOf: (field: string) => string) {
  const [tab, setTab] = useState<TemplateTab>('source')
  const editor = useRef<EditorHandle>(null)
  const wanted = useRef<TemplateFault | null>(null)
  // The editor of another tab only exists after it has rendered; its position is shown then.
  useEffect(() => {
    if (wanted.current && editor.current) {
      showPlace(editor.current, wanted.current)
      wanted.current = null
    }
  })
  return {
    tab,
    setTab,
    editor,
    go: (fault: TemplateFault) => {
      if (fault.field === 'subject' || fault.field === 'preheader')
        return document.getElementById(idOf(fault.field))?.focus()
      const next = fault.field === 'body_text' ? 'text' : 'source'
      if (next === tab && editor.current) return showPlace(editor.current, fault)
      wanted.current = fault
      return setTab(next)
    },
  }
}

function showPlace(editor: EditorHandle, { line, column }: TemplateFault): void {
  editor.goTo({ line: line ?? 1, column: column ?? 1 })
}
