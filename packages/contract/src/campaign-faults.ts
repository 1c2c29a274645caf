/**
 * Why a campaign waits, is held or failed. The campaign stores the text in `error`, its code and values in `error_code`
 * and `error_values`. Braces contain names of values.
 */
export const campaignFaults = {
  campaign_gone: 'The campaign is gone.',
  client_gone: 'The client is gone.',
  client_inactive: 'The client is switched off and sends nothing.',
  no_template: 'The campaign has no template.',
  template_gone: 'The template is gone.',
  no_domain: 'The campaign has no domain.',
  domain_gone: 'The domain of the campaign is gone.',
  domain_unverified: 'The domain {domain} is not verified. Check its DNS records.',
  domain_blocklisted: 'The domain {domain} is on a blocklist.',
  no_mailclass: 'The campaign has no mail class.',
  mailclass_gone: 'The mail class is gone.',
  mailclass_inactive: 'The mail class {mailclass} is switched off.',
  service_gone: 'The sending service is gone.',
  service_inactive: 'The sending service {service} is switched off.',
  no_sender: 'The campaign has no sender address.',
  from_invalid: 'The sender address cannot be used. {fault}',
  from_unaligned: 'The sender address must belong to {domain}, or receivers will not trust it (DMARC).',
  reply_to_invalid: 'The reply address cannot be used. {fault}',
  no_segment: 'The campaign has no segment.',
  segment_gone: 'There is no such segment',
  segment_faulty: 'The segment does not fit its datasource: {faults}',
  no_datasource: 'The campaign has no datasource.',
  datasource_gone: 'There is no such datasource',
  not_prepared: 'The campaign was not prepared.',
  no_key: 'The domain {domain} has no key to sign mails with.',
  no_service: 'The campaign or its mail class names no sending service, or none that is active.',
  secret_sealed: 'A password or key it needs cannot be read on this installation; enter it again.',
  no_direct: 'Direct delivery is not available on this installation.',
  off_direct:
    'Real delivery is switched off, and the mail class sends to the recipients’ servers. An administrator can switch it on.',
  off_over:
    'Real delivery is switched off, and the mail class sends over {host}. An administrator can switch it on.',
  relay_refused:
    'The mail class sends over {host}, which is not a public mail server. The operator can allow private relays.',
  next_hop: 'The next hop of the mail class takes no mail; it is asked again and again. {reply}',
  refused: 'Receivers refuse it: {reply}',
  sender_refused: 'Receivers refused it ten times in a row for its sender or content: {reply}',
  missed: 'It was to start at {time}, when the server was not running.',
  in_variant: 'Variant {variant}: {fault}',
  order_column:
    'The order of sending is by the column {column}, which the datasource does not have: there is no order.',
  small_sample:
    'Each variant goes to {members} subscribers. Only a very large difference will be more than chance.',
  missing_values:
    '{path} is empty for {members} subscribers of the segment. A default can stand in: {example}.',
  start_passed: 'The start time has passed: the campaign is sent as soon as it is started.',
  send_once:
    'Members who got a campaign with the send-once key {key} are skipped: nobody is left to be sent to.',
  send_volume: 'With {emails} further emails, the limit of {limit} emails a month would be exceeded.',
  empty_segment: 'The segment has no members that can be mailed.',
  segment_uncounted: 'The segment cannot be counted: {fault}',
  message_gone: 'The template does not exist any more.',
  mailclass_no_host: 'The mail class {mailclass} sends over SMTP, but has no host.',
  mailclass_no_login: 'The mail class {mailclass} names no sending service.',
  real_delivery_off:
    'Real delivery is switched off, and the mail class {mailclass} sends beyond this installation. An administrator can switch it on.',
  service_refused: '{service} refused us: {reply}',
  service_sender: '{service} has not verified the sender address {sender}.',
  service_no_events:
    'Bounces, complaints and unsubscribes reported by {service} cannot arrive: its webhooks are not set up.',
  category_missing: 'The campaign needs a value of the category {category}.',
  approval_missing: 'It has not been approved by a second person. Who may approve: {approvers}.',
  approval_outdated:
    'It was changed after its approval, which is no longer valid. Who may approve it again: {approvers}.',
  approval_nobody:
    'It has not been approved by a second person, and no other user of this client may approve it.',
  approval_start: 'It was approved for another start. Change its start time, and ask for approval again.',
  agb_due:
    'The general terms, version {version}, have not been confirmed. From {until}, campaigns cannot be started.',
  agb_overdue:
    'The general terms, version {version}, had to be confirmed by {until}. An administrator can confirm them.',
  bav_due:
    'The data processing agreement, version {version}, has not been confirmed. From {until}, campaigns cannot be started.',
  bav_overdue:
    'The data processing agreement, version {version}, had to be confirmed by {until}. An administrator can confirm it.',
  transactional_off: 'The transactional email is switched off.',
  content: '{part}, line {line}, column {column}: {fault}',
  contents: '{faults}',
  attachment_gone: 'The attached file "{name}" is gone. Remove it from the template, or attach it again.',
  attachments_large: 'The attachments of the template have more than {max} MB.',
  feed_unreachable:
    'The feed of the placeholder {placeholder} cannot be read, and there is no earlier copy of it. {fault}',
  feed_earlier:
    'The feed of the placeholder {placeholder} cannot be read now; its copy of {time} would be sent ({items} items). {fault}',
  feed_items: 'The feed of the placeholder {placeholder} has {items} items, fetched {time}.',
  feed_empty_send:
    'The feed of the placeholder {placeholder} has nothing to send; the mail would go out without it.',
  feed_empty_skip: 'The feed of the placeholder {placeholder} has nothing to send, so nothing is sent.',
  data_ready: 'The data of the placeholder {placeholder} was fetched {time}.',
  data_earlier:
    'The data of the placeholder {placeholder} cannot be fetched now; its copy of {time} would be sent. {fault}',
  data_missing_send:
    'The data of the placeholder {placeholder} is empty or cannot be fetched; the mail would go out without it. {fault}',
  data_personal_send:
    'The data of the placeholder {placeholder} is fetched for each recipient; without it, the mail goes out all the same.',
  data_personal_skip:
    'The data of the placeholder {placeholder} is fetched for each recipient; who has none gets no mail.',
  data_missing_skip:
    'The data of the placeholder {placeholder} is empty or cannot be fetched, so nothing is sent. {fault}',
  unexpected: 'An unexpected error occurred. The log of the server says more.',
} as const
