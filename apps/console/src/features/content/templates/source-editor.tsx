import { CodeEditor, type EditorHandle } from '@emma/ui/code/code-editor.tsx'
import { Group } from '@mantine/core'
import { type ReactNode, type RefObject, useMemo } from 'react'
import { PlaceholderMenu } from '../placeholders/placeholder-menu.tsx'
import { type PlaceholderLink, usePlaceholders } from '../placeholders/use-placeholders.ts'
import { placedFaults, type TemplateFault } from './template-faults.ts'

interface SourceEditorProps {
  field: 'body_mjml' | 'body_long' | 'body_text'
  label: string
  value: string
  onChange: (text: string) => void
  faults: readonly TemplateFault[]
  /** Datasource whose columns can be inserted; null: those of all. */
  memberTableId: number | null
  /** Links that can be inserted; those of campaigns by default. */
  links?: readonly PlaceholderLink[]
  editor: RefObject<EditorHandle | null>
  height: number | string
  /** Content beside the placeholder menu. */
  head: ReactNode
}

const languages = { body_mjml: 'mjml', body_long: 'html', body_text: 'text' } as const

/** Code editor of a template's part, with a menu of placeholders and the part's faults at their positions. */
export function SourceEditor(props: SourceEditorProps): ReactNode {
  const { field, label, value, onChange, faults, memberTableId, links, editor, height, head } = props
  const { paths } = usePlaceholders(memberTableId, links)
  const placed = useMemo(() => placedFaults(faults, field), [faults, field])
  const language = languages[field]
  return (
    <>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        {head}
        <PlaceholderMenu
          isText={field === 'body_text'}
          memberTableId={memberTableId}
          {...(links ? { links } : {})}
          onPick={text => editor.current?.insert(text)}
        />
      </Group>
      <CodeEditor
        key={language}
        language={language}
        label={label}
        value={value}
        onChange={onChange}
        height={height}
        placeholders={paths}
        faults={placed}
        hasError={placed.some(({ severity }) => severity === 'error')}
        handle={editor}
      />
    </>
  )
}
