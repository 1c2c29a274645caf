import type { MailFault } from '../mail-fault.ts'
import type { Piece } from '../template/scan-liquid.ts'

export type TemplateFormat = 'mjml' | 'html'

/** Offsets in UTF-16 units, as in CodeMirror; `to` is after the last character. */
export interface SourceRange {
  from: number
  to: number
}

/**
 * The tree of a template's source. It describes the source and never replaces it: every edit is a patch of the text.
 * Components of MJML and the placeholder modules between them; elements and runs of text of HTML. What is no node
 * (comments, Liquid between elements, white space) belongs to the content of its parent.
 */
export interface TemplateTree {
  type: 'tree'
  source: string
  format: TemplateFormat
  /** In document order: a node's `index` is its position here. */
  nodes: readonly TemplateNode[]
  roots: readonly TemplateNode[]
  /** Liquid of the source, between pieces of text. */
  pieces: readonly Piece[]
  /** The source with each Liquid piece replaced character by character (see `maskLiquid`). */
  masked: string
  /** The next unused node id. */
  nextId: number
}

/** A template that has no tree, and why: only its source can be edited. */
export interface CodeOnly {
  type: 'code'
  source: string
  format: TemplateFormat
  reason: MailFault
}

export type TemplateNode = ElementNode | TextNode

interface NodePlace {
  /** Kept when the source is parsed again with the previous tree. */
  id: number
  /** Position in document order, the number of its mark in the canvas. */
  index: number
  parent: ElementNode | null
  /** The whole node. Nodes are nested or apart, as in the tree. */
  range: SourceRange
}

export interface ElementNode extends NodePlace {
  type: 'element'
  /** Lower case. */
  name: string
  children: readonly TemplateNode[]
  open: SourceRange
  /** Null for elements that have none: void ones of HTML, and `<x/>`. */
  content: SourceRange | null
  /** Null if the end tag is omitted. */
  close: SourceRange | null
  /** In source order; a name can occur more than once. */
  attributes: readonly NodeAttribute[]
}

/** A run of text and placeholders in HTML, without the white space around it; a placeholder module in MJML. */
export interface TextNode extends NodePlace {
  type: 'text'
}

export interface NodeAttribute {
  /** Lower case in HTML, as written in MJML; empty for Liquid between attributes. */
  name: string
  /** With its value. */
  range: SourceRange
  /** Without quotes; null if there is only a name. */
  value: (SourceRange & { quote: '"' | "'" | '' }) | null
}
