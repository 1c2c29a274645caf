/**
 * Faults of a message and warnings of its template: code → English text, with the names of its values in braces. The
 * contract repeats the codes (`mail-faults.ts`), because it imports no other package.
 */
export const mailFaultTexts = {
  'content.near': '{fault} Did you mean {near}?',
  'content.in_language': 'Language {language}: {fault}',
  'content.in_module': 'In the placeholder module "{name}", line {line}: {fault}',
  'content.part_long': 'This part is longer than {max} characters.',
  'content.part_too_long': 'This part is too long for a mail.',
  'content.placeholders_many': 'This part has too many placeholders.',
  'content.nested': 'The conditions and loops are nested too deeply.',
  'content.loop_long': 'A loop can run {max} times at most.',
  'content.three_brackets':
    'Three curly brackets are not possible here. Write {example}, or {other} for HTML.',
  'content.no_partial': '"{text}" is not possible here. Put the text into a placeholder module: {example}.',
  'content.no_block': '"{text}" is not possible here. Conditions are written {condition}, loops {loop}.',
  'content.other_spelling': '"{text}" is not possible here. Write {example}.',
  'content.equals': 'Comparisons are written with two equals signs (==), in {text}.',
  'content.and_or': 'Conditions are joined by "and" and "or", in {text}.',
  'content.placeholder_open':
    'This placeholder is never closed: {text}. It must end with }}, and quotes inside it come in pairs.',
  'content.tag_open': 'This tag is never closed: {text}. It must end with %}.',
  'content.block_open': '{text} is never closed. Add {end} after it.',
  'content.closes_nothing': '{text} closes nothing: {opener} is missing before it.',
  'content.outside': '{text} stands outside of a condition.',
  'content.filter_unknown': 'There is no filter called "{name}".',
  'content.tag_unknown': 'There is no tag called "{name}".',
  'content.tag_foreign':
    '{text} is not available in mails. Put the text into a placeholder module: {example}.',
  'content.tag_nameless': '{text} is no tag: the name of the tag is missing.',
  'content.filter_bar': 'Something is too much in {text}. Filters begin with "|", texts stand in quotes.',
  'content.filter_name': 'After "|" the name of a filter is missing in {text}.',
  'content.filter_value': 'After the name of a filter comes ":" and its value, in {text}.',
  'content.filter_extra': 'Something is too much after the value of a filter, in {text}.',
  'content.column_missing': 'The name of a column is missing in {text}.',
  'content.value_missing': 'A value is missing in {text}.',
  'content.bracket_missing': 'A closing bracket "{bracket}" is missing in {text}.',
  'content.range': 'Brackets are only possible for ranges like (1..5), not as in {text}.',
  'content.end_missing': 'Something is missing at the end of {text}.',
  'content.unclear': 'Something is missing or too much in {text}.',
  'content.incomplete': '{text} is not complete.',
  'content.not_understood': '{text} cannot be understood.',
  'content.module_unknown': 'There is no placeholder module "{name}".',
  'content.module_circle': 'Placeholder modules contain each other: {path}.',
  'content.module_deep': 'Placeholder modules are nested deeper than {max} levels: {path}.',
  'content.module_long': 'The placeholder modules make this part too long.',
  'content.module_nested': 'The elements of the placeholder module "{name}" are nested too deeply.',
  'content.module_mjml':
    'The placeholder module "{name}" holds sections of MJML: it can only stand between those of an MJML template.',
  'content.module_data': 'The placeholder "{name}" holds data. Show its values: {example}.',
  'content.module_column': 'The placeholder module "{name}" does not name a column of the datasource.',
  'content.module_mandatory': 'The placeholder module "{name}" must be in every mail. Put in {example}.',
  'content.module_alone':
    '{path} can only stand alone, as {example}: placeholder modules are put in before conditions and filters are read.',
  'content.mjml_long': 'The HTML of this MJML is too long for a mail.',
  'content.mjml_much': 'This is too much MJML for a mail.',
  'content.mjml_deep': 'The components are nested too deeply.',
  'content.mjml_styles':
    'There are too many inline style rules (<mj-style inline="inline">) for so many elements.',
  'content.mjml_attributes': '<{tag}> has too many attributes.',
  'content.mjml_include':
    '<mj-include> cannot load files here. Put the content into a placeholder module: {example}.',
  'content.mjml_place':
    'Inside <{tag}> placeholders and conditions can only stand in the value of an attribute.',
  'content.mjml_incomplete':
    'This is no complete MJML. It must begin with <mjml>, end with </mjml>, and have an <mj-body> in it.',
  'content.mjml_unclosed': '<{tag}> is never closed: {end} is missing.',
  'content.mjml_unknown': 'There is no MJML component <{tag}>.',
  'content.mjml_misplaced': '<{tag}> cannot stand in <{parent}>, only in {allowed}.',
  'content.mjml_said': '{text}',
  'content.mjml_lost':
    'MJML leaves out what stands here. Put it into <mj-text> or <mj-raw> inside <mj-body>.',
  'content.html_deep': 'The elements of the HTML are nested too deeply.',
  'content.html_unclosed': 'Too many formatting elements, such as <b> or <font>, are not closed.',
  'content.html_placeholder':
    'Inside <{tag}> a placeholder can only stand between the quotes of an attribute.',
  'content.html_quotes': 'Put the whole value of the attribute {attribute} between quotes.',
  'content.html_large': 'The HTML has {size}. Gmail cuts mails off behind 102 kB.',
  'content.charset_lacks': 'The charset {charset} lacks {characters}: the mail is sent as UTF-8.',
  'content.mail_large':
    'With its attachments the mail has {size}. Filters and mail servers distrust bulk mail of more than {max}; a link to the file is delivered better.',
  'content.attachments_large': 'The attachments have {size}; {max} are possible.',
  'content.attachment_gone': 'The attached file "{name}" is gone. Remove it, or attach it again.',
  'content.image_heavy':
    'The image {picture} has {size}. Phones load images of more than {max} slowly: crop or scale it in the file manager.',
  'content.spam_words': 'Spam filters weigh {words}. Hint: other words are more likely to reach the inbox.',
  'content.subject_capitals': 'The subject is in capitals, like many spam mails.',
  'content.subject_marks': 'The subject has {marks}, like many spam mails. One mark is enough.',
  'content.styles_many':
    'There are too many style rules to copy them into the elements; many mail programs will not show them.',
  'content.tag_active': 'Mail programs take <{tag}> out, and filters do not like it.',
  'content.attribute_active': 'Mail programs take the attribute {attribute} out, and filters do not like it.',
  'content.address_program': 'The address in {attribute} would run a program.',
  'content.image_inside':
    'Pictures inside the HTML (data:) are not shown by most mail programs. Upload the picture instead.',
  'content.contrast': 'Text in {text} on {background} is hard to read: its contrast is {contrast}.',
  'content.contrast_dark':
    'In dark mode, text in {text} on {background} is hard to read: its contrast is {contrast}.',
  'content.css_support': '{css} does not work in {programs}. The layout should not depend on it.',
  'content.heading_order': 'The heading {heading} follows {before}: a level is missing between them.',
  'content.image_alt': 'The picture {picture} has no alternative text (alt).',
  'content.foreign': '{text} is a placeholder of another program and will be sent as it stands.',
  'content.link_program':
    'The link {link} would run a program. Only web, mail and telephone addresses are possible.',
  'content.link_unsupported': 'Most mail programs cannot open the link {link}.',
  'content.link_empty': 'The link "{name}" leads nowhere: its address is empty.',
  'content.link_relative': 'The link {link} is not complete. In a mail it must begin with https://.',
  'content.link_uncounted':
    'Clicks on the link {link} cannot be counted: it uses values that are gone after sending.',
  'content.link_insecure': 'The link {link} is not encrypted. Use https:// if the site has it.',
  'content.no_subject': 'The mail has no subject.',
  'content.no_content': 'The mail has no content: neither HTML nor text.',
  'content.no_counted_section': 'This person gets no mail: none of the counted sections is shown to them.',
  'content.no_unsubscribe': 'The mail has no unsubscribe link. Put in {example}.',
  'content.text_not_made':
    'The text version cannot be made from this HTML: a condition or loop begins where readers see it and ends where they do not. Write a text version.',
  'content.text_unclosed':
    'The text version cannot be made from this HTML: too many of its elements are not closed. Write a text version.',
  'content.text_no_unsubscribe': 'The text part has no unsubscribe link. Put in {example}.',
  'content.no_imprint': 'The mail has no imprint: name and address of the sender belong into it.',
  'content.unescaped': '{path} is inserted without escaping. Its content can change the mail.',
  'content.empty_value': '{path} is empty for this recipient. A default can stand in: {example}.',
  'content.root_alone': '{root} alone shows nothing. Write {example}.',
  'content.no_column': '{path} is not a column of the datasource.',
  'content.no_campaign_field': '{path} is not known of a campaign.',
  'content.no_client_field': '{path} is not known of a client.',
  'content.no_data_field': '{path} is not a field of this mail.',
  'content.no_link': '{path} is no link of a mail.',
  'content.name_unknown':
    '{path} is not known. Placeholders begin with member., campaign., client., link. or module.',
  'content.value_long': 'A placeholder of this template makes a text too long.',
  'content.loop_mail_long': 'A loop or condition of this template makes the mail too long.',
  'content.loop_costly': 'A loop or condition of this template takes too much time or memory.',
  'content.template_costly': 'This template takes too much time or memory.',
  'content.loop_failed':
    'A loop or condition of this template cannot be rendered with the data of this recipient.',
  'content.edit_long': 'This template is longer than {max} characters. It can only be edited as code.',
  'content.edit_many': 'This template has more than {max} elements. It can only be edited as code.',
  'content.edit_part':
    'A condition or loop begins or ends inside this block only: {text}. Edit it in the code.',
  'content.edit_itself': 'A block cannot be moved into itself.',
  'content.edit_unclosed': 'A tag or comment of this code does not end inside its block.',
  'content.paste_none': 'The clipboard holds no block of a mail.',
  'content.paste_long': 'The clipboard holds more than {max} characters.',
  'content.paste_place': '<{tag}> has no place here.',
  'content.edit_void': '<{tag}> cannot have content.',
  'content.edit_attribute': '"{name}" is not the name of an attribute.',
  'content.edit_attribute_twice':
    'The attribute "{name}" occurs more than once in this element. Edit it in the code.',
  'content.edit_condition': '"{text}" is not a condition.',
  'content.edit_no_condition': 'There is no condition around this block alone.',
  'content.edit_columns': 'A section can have {least} to {most} columns.',
  'mail.header_broken': 'The header {header} has a line break or another control character in it.',
  'mail.header_character': 'The header {header} has a character that is not allowed.',
  'mail.header_address': 'The header {header} has no valid email address.',
  'mail.header_long': 'The header {header} has a part longer than a line may be.',
  'mail.header_own': 'The header {header} cannot be set by hand.',
  'mail.header_name': '“{header}” is not a header name.',
  'mail.header_list_id': 'The header List-Id needs a dotted name such as news.example.com.',
  'mail.header_message_id': 'The header Message-ID is not of the form unique@host.',
  'mail.header_unsubscribe': 'The header List-Unsubscribe has no valid URL.',
  'mail.dkim_domain': '“{domain}” is not a domain that can sign.',
  'mail.dkim_selector': '“{selector}” is not a DKIM selector.',
  'mail.dkim_kind': 'The DKIM key is neither RSA nor Ed25519.',
  'mail.dkim_short': 'The DKIM key is shorter than 1,024 bits; receivers refuse it.',
  'mail.dkim_form': 'The DKIM key is not a private key in PEM form.',
} as const

export type MailFaultCode = keyof typeof mailFaultTexts

/** A fault as data: `message` is the text of the code with the values filled in. */
export interface MailFault {
  code: MailFaultCode
  values: MailFaultValues
  message: string
}

export type MailFaultValues = Readonly<Record<string, string | number | MailFault>>

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends '' ? never : Name) | Names<Rest>
  : never

type ValuesOf<Code extends MailFaultCode> = Readonly<
  Record<Names<(typeof mailFaultTexts)[Code]>, string | number | MailFault>
>

/** Creates the fault of a code. Codes without braces in their text take no values. */
export function mailFault<Code extends MailFaultCode>(
  code: Code,
  ...[values]: Names<(typeof mailFaultTexts)[Code]> extends never ? [] : [ValuesOf<Code>]
): MailFault {
  const given: MailFaultValues = values ?? {}
  const message = mailFaultTexts[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => textOf(given[name]))
  return { code, values: given, message }
}

/** Adds a similar name to a fault. */
export function suggest(fault: MailFault, near: string | null): MailFault {
  return near === null ? fault : mailFault('content.near', { fault, near })
}

function textOf(value: string | number | MailFault | undefined): string {
  return typeof value === 'object' ? value.message : String(value ?? '')
}
