import { tokenizeHtml } from '../template/html-tokens.ts'
import { maskLiquid } from '../template/scan-liquid.ts'
import { findHtmlLinks, findTextLinks } from './find-links.ts'
import { type LinkRow, numberLinks } from './link-table.ts'
import { trackingObstacle } from './track-links.ts'

/**
 * The link table of finished HTML and text (modules in place, no MJML): one row per place that can be tracked, in
 * the order described at `numberLinks`. For stored messages use `trackMessage`.
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
