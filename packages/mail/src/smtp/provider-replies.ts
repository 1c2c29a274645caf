import { type ReplyRule, rule } from './reply-rules.ts'

const raw = String.raw

/**
 * Replies with a specific meaning, from the documentation of the mailbox provider. They take precedence over any
 * code.
 */
export const KNOWN_REPLIES: readonly ReplyRule[] = [
  // Exchange and Exchange Online: no such recipient; the edge server looks up the directory (5.4.1, 5.1.10).
  rule('bad-mailbox', raw`resolver\.adr\.`, raw`recipient not found by smtp address lookup`),
  rule('bad-mailbox', raw`5\.4\.1 .{0,20}recipient address rejected: access denied`),
  rule('rate', raw`resolver\.rst\.\w*(?:size|rate)limit`),
  rule('policy', raw`resolver\.rst`, 'not authenticated to send anonymous'),
  rule('bad-domain', 'nonexistentdomain'),
  rule('connection', 'routingloop', 'mxloopback', raw`queue\.expired`),
  rule('reputation', 'required authentication level'),
  // Hotmail and Outlook.com: block lists S3140, S3150, SC-001 to SC-004; numeric mailbox codes.
  rule('reputation', raw`\bs31[45]\d\b`, raw`\b(?:sc|dy|ou)-00\d\b`),
  rule('rate', raw`\brp-00\d\b`),
  rule('bad-mailbox', raw`mailbox unavailable \((?:-?\d|s\d{6})`),
  // Yahoo: no such account; TSS04 means load as well as complaints.
  rule('bad-mailbox', raw`delivery error: dd (?:this )?user doesn't have`),
  rule('reputation', raw`\[ts[su]?s?\d\d\]`, raw`unexpected volume or user complaints`),
  // AOL: letters for the kind of block. Comcast: a number.
  rule('reputation', raw`[[(](?:rtr|con|dns):`, raw`\bbl0000\d\d\b`),
  rule('spam', raw`[[(]hvu:`),
  rule('rate', raw`[[(]dyn:`, raw`\brl0000\d\d\b`),
  // NetEase (163.com, 126.com): DT:SPM is spam.
  rule('spam', raw`\bdt:spm\b`),
  // KDDI (au, ezweb).
  rule('inactive-mailbox', raw`the user\(s\) account is (?:disabled|suspended|closed|limited)`),
  // Orange, Wanadoo, La Poste: number at the end.
  rule('bad-mailbox', raw`\b(?:ofr|lpn)\w*_416\b`),
  rule('quota', raw`\b(?:ofr|lpn)\w*_417\b`),
  rule('inactive-mailbox', raw`\b(?:ofr|lpn)\w*_42[06]\b`),
  rule('content', raw`\b(?:ofr|lpn)\w*_514\b`),
  rule('policy', raw`\b(?:ofr|lpn)\w*_(?:403|415|630)\b`),
  rule('spam', raw`\b(?:ofr|lpn)\w*_50[6-9]\b`),
  rule('reputation', raw`\b(?:ofr|lpn)\w*_(?:99\d|51\d)\b`, 'service refuse'),
  // Cox, Charter, Spectrum: "Acceptable use policy" with a code.
  rule('reputation', raw`\baup#\w*rbl`),
  rule('rate', raw`\baup#in-13\d0`),
  // MessageLabs: not in the customer's recipient list.
  rule('bad-mailbox', raw`\b542\b.{0,20}reject`),
  // Facebook, T-Online.
  rule('bad-mailbox', raw`\brcp-p1\b`),
  rule('inactive-mailbox', raw`\brcp-t4\b`),
  rule('filtered', raw`\brcp-p\d`, 'recipient preferences'),
  rule('reputation', raw`\bdns-p3\b`, raw`\bpol-[pt][1-4]\b`),
  rule('spam', raw`\bpol-p[5-7]\b`),
  rule('policy', raw`\bdns-p[12]\b`),
  rule('reputation', raw`a problem occurred\..{0,120}\(bl\)`),
  // qmail: a domain not configured on this server.
  rule('policy', 'rcpthosts'),
  // Courier: unknown sender domain. Mimecast: the sender is on the recipient company's block list.
  rule('policy', raw`\b517[ -](?:#?5\.\d\.\d )?(?:domain|invalid domain|mx records)`, raw`blocked senders\b`),
  // Local delivery programs: no SMTP reply of a mailbox server.
  rule('bad-mailbox', 'procmail: unknown user'),
  rule('quota', raw`(?:procmail|maildrop):.{0,120}(?:quota|no space)`),
  rule(
    'system',
    raw`procmail|maildrop:|smrsh|child process of|pipe to \||address_pipe|local delivery failed`,
    raw`command time limit exceeded|/bin/(?:\w{1,4})?sh:`,
  ),
  rule('system', raw`operating system error|unknown mail transport error`),
  // Google Groups and list servers: who may post.
  rule(
    'policy',
    raw`groups\.google\.com|support\.google\.com/(?:a/answer/168383|groups)`,
    raw`google[ -](?:groups|gro?up\w{1,4}|groepen)|grup\w{1,3} (?:de )?google|google グループ|google 网上论坛|google 群組`,
    raw`not (?:a )?member of (?:this|the) (?:mailing )?list`,
  ),
  // OpenSMTPD.
  rule(
    'connection',
    'could not retrieve source address',
    'no valid route to',
    'address family mismatch on destination',
  ),
  rule('bad-domain', 'destination seems? to reject all mails'),
  // Mailgun and SendGrid: rejected before sending.
  rule('bad-mailbox', 'previously bounced address'),
  rule('bad-domain', 'unable to get mx info'),
  // Cox: letters after CX.
  rule('reputation', raw`\b(?:cxbl|cxdns|cdrbl|ipbl[01]\d+)\b`),
  rule('rate', raw`\b(?:cxthrt|cxcnct|cxmxrt)\b`),
  rule('policy', raw`\b(?:cxsndr|cxsmtp)\b`),
  rule('spam', raw`\burlbl\d+`),
]
