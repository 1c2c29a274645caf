import { tokenizeHtml } from '../template/html-tokens.ts'
import { maskLiquid } from '../template/scan-liquid.ts'
import { findHtmlLinks, findTextLinks } from './find-links.ts'
import { type LinkRow, numberLinks } from './link-table.ts'
import { trackingObstacle } from './track-links.ts'

/**
 * Returns the link table of final HTML and text (modules inserted, no MJML): one row per trackable link, in the order
 * of `numberLinks`. For stored messages use `trackMessage`.
 * @throws liquidjs' TokenizationError for a `{{` or `{%` that is never closed
 */
export function extractLinks(
  html: string,
  text: string,
  before: readonly Omit<LinkRow, 'index'>[] = [],
): LinkRow[] {
  const masked = maskLiquid(html)
  const htmlLinks = findHtmlLinks(html, masked, tokenizeHtml(masked))
  return numberLinks(
    htmlLinks.filter(link => trackingObstacle(link) === null),
    findTextLinks(text, maskLiquid(text), htmlLinks).filter(link => trackingObstacle(link) === null),
    before,
  ).rows
}
