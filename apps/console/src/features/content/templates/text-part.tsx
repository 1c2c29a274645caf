import type { EditorHandle } from '@emma/ui/code/code-editor.tsx'
import { Button, Text } from '@mantine/core'
import type { ReactNode, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlaceholderLink } from '../placeholders/use-placeholders.ts'
import { SourceEditor } from './source-editor.tsx'
import type { TemplateFault } from './template-faults.ts'

interface TextPartProps {
  /** Null: generated from the HTML. */
  value: string | null
  onChange: (text: string | null) => void
  faults: readonly TemplateFault[]
  memberTableId: number | null
  links?: readonly PlaceholderLink[]
  editor: RefObject<EditorHandle | null>
}

/** Plain text of a mail; left empty, it is generated. */
export function TextPart({ value, onChange, ...editor }: TextPartProps): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <SourceEditor
        {...editor}
        field="body_text"
        label={t('content.message.fields.body_text')}
        value={value ?? ''}
        onChange={text => onChange(text === '' ? null : text)}
        height={420}
        head={
          <Text size="sm" c="dimmed">
            {t('content.message.text_hint')}
          </Text>
        }
      />
      {value !== null && (
        <Button variant="subtle" size="xs" mt="xs" onClick={() => onChange(null)}>
          {t('content.message.text_generate')}
        </Button>
      )}
    </>
  )
}
