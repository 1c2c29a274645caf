import type { ReactNode } from 'react'
import { DesignView } from '../design/design-view.tsx'
import { useCanvasMail } from '../design/use-canvas-mail.ts'
import type { Design } from '../design/use-design.ts'
import { type RenderingOptions, useTemplateCanvas } from './template-rendering.ts'
import type { TemplateValues } from './template-values.ts'

interface TemplateDesignProps {
  /** 0: not saved yet. */
  messageId: number
  values: TemplateValues
  rendering: RenderingOptions
  design: Design
  /** Choice of the recipient and of the branches that the canvas shows. */
  tools: ReactNode
}

/** Visual editor of a template. A new canvas renders this alone, and not the form around it. */
export function TemplateDesign({
  messageId,
  values,
  rendering,
  design,
  tools,
}: TemplateDesignProps): ReactNode {
  const rendered = useTemplateCanvas(messageId, values, rendering)
  const mail = useCanvasMail(design.tree, rendered)
  return <DesignView design={design} mail={mail} memberTableId={rendering.memberTableId} tools={tools} />
}
