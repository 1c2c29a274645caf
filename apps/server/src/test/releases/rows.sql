-- Rows for the tables that the first start leaves empty, and deliveries of its campaign without an engine. Run by
-- scripts/make-release-fixture.ts on an installation as its first start leaves it: client 1, campaign 1, datasource 1.

-- 120 of the 2,000 members are enough.
DELETE FROM members.t1 WHERE member_id > (SELECT min(member_id) + 119 FROM members.t1);
UPDATE members.t1 SET dateunjoin = now(), source = 'import' WHERE member_id % 10 = 3;
UPDATE members.t1 SET hardbounced_at = now() WHERE member_id % 20 = 5;

INSERT INTO app_user (username, email, firstname, lastname) VALUES ('erin', 'erin@northwind.test', 'Erin', 'Editor');
INSERT INTO user_client (user_id, client_id) SELECT id, 1 FROM app_user WHERE username = 'erin';
INSERT INTO user_settings (user_id, client_id, position) SELECT id, 1, 0 FROM app_user WHERE username = 'erin';
INSERT INTO user_role (user_id, role_id)
SELECT u.id, r.id FROM app_user u, role r WHERE u.username = 'erin' AND r.name = 'Editor';
INSERT INTO session (jti, user_id, expires_at, ip, user_agent)
SELECT gen_random_uuid(), id, now() + interval '12 hours', '192.0.2.7', 'Firefox' FROM app_user;
INSERT INTO password_reset (token_hash, user_id, expires_at)
SELECT sha256('reset'), id, now() + interval '1 hour' FROM app_user WHERE username = 'erin';
INSERT INTO recovery_code (user_id, code_hash) SELECT id, sha256('code') FROM app_user WHERE username = 'erin';
INSERT INTO api_token (user_id, name, prefix, token_hash, permissions, client_ids, expires_at)
SELECT id, 'Shop', 'emma_shop', sha256('token'), '{Campaign:get}', '{1}', now() + interval '1 year'
FROM app_user WHERE username = 'erin';
INSERT INTO user_identity (issuer, subject, user_id)
SELECT 'https://id.northwind.test', 'erin', id FROM app_user WHERE username = 'erin';
INSERT INTO user_seen (user_id, subject, key) SELECT id, 'guided_tour', '1' FROM app_user WHERE username = 'erin';
INSERT INTO login_attempt (key, user_id, failures, succeeded_at)
SELECT sha256('erin'), id, 1, now() FROM app_user WHERE username = 'erin';
INSERT INTO motd (title_en, title_de, title_es, body_en, body_de, body_es, startdate, type, clients, roles)
VALUES ('Hello', 'Hallo', 'Hola', 'New.', 'Neu.', 'Nuevo.', now(), 'info', '{1}', '{1,2}');
INSERT INTO missing_text (language, namespace, key, fallback, is_anonymous) VALUES ('de', 'app', 'hello', 'Hello', false);
INSERT INTO setting (name, value) VALUES ('release', '"fixture"') ON CONFLICT DO NOTHING;
INSERT INTO role_heartbeat (node, role, pid) VALUES ('node-1', 'engine', 4711);

INSERT INTO client (name) VALUES ('Contoso Tea');
INSERT INTO mailclass (client_id, name) SELECT client_id, 'Tea' FROM client WHERE name = 'Contoso Tea';
INSERT INTO internal_blacklist_entry (value, match, reason) VALUES ('trap@gmail.test', 'email', 'trap');
INSERT INTO internal_blacklist_exclude (value, client_id) VALUES ('trap@gmail.test', 1), ('trap@gmail.test', NULL);
INSERT INTO blacklist_entry (client_id, blacklist_id, value, reason) VALUES (1, 1, 'never@gmail.test', 'asked');
INSERT INTO contact_frequency (client_id, address, period_hours) VALUES (1, 'seldom@gmail.test', 168);
INSERT INTO member_opt_out (client_id, member_table_id, address_hash, unsubscribed_at)
VALUES (1, 1, sha256('gone@gmail.test'), now());
INSERT INTO member_pending_state (client_id, member_table_id, member_id, address, last_opened_at)
SELECT 1, 1, member_id, lower(email), now() FROM members.t1 ORDER BY member_id LIMIT 2;
INSERT INTO member_table_change (client_id, member_table_id) VALUES (1, 1);
INSERT INTO data_upload (client_id, member_table_id, filename, size, status, rows, rows_read, rows_ok, rows_updated, rows_counted)
VALUES (1, 1, 'people.csv', 4096, 3, 2, 2, 2, 2, 2);
INSERT INTO upload_change (client_id, upload_id, member_id, revision, before)
SELECT 1, 1, member_id, 2, '{"city": "Wien"}' FROM members.t1 ORDER BY member_id LIMIT 2;
INSERT INTO upload_usage (client_id, month, bytes, rows) VALUES (1, date_trunc('month', now()), 4096, 2);
INSERT INTO test_group (client_id, name, address_ids, is_default) VALUES (1, 'Office', '{1}', true);
INSERT INTO test_campaign (client_id, campagne_id, emails, sent_at) VALUES (1, 1, '{ok-proof@gmail.test}', now());

INSERT INTO dkim_key (client_id, domain_id, selector, algorithm, private_key, public_txt)
VALUES (1, 1, 'old', 'rsa', '\x00', 'v=DKIM1; k=rsa; p=AA') ON CONFLICT DO NOTHING;
INSERT INTO capping (client_id, name, max_mails, period_hours) VALUES (1, 'Three a week', 3, 168);
INSERT INTO esp_login (client_id, esp, name, username) VALUES (1, 'brevo', 'Brevo', 'northwind');
INSERT INTO esp_sendfromid (client_id, esp, login_id, from_email) VALUES (1, 'brevo', 1, 'hello@northwind.test');
INSERT INTO esp_replacer (client_id, esp, search, replace) VALUES (1, 'brevo', '%%name%%', '{{ member.firstname }}');
INSERT INTO esp_event (client_id, login_id, event_id) VALUES (1, 1, 'evt-1');
INSERT INTO receiving_domain (domain, hosts, provider_id) VALUES ('gmail.test', '{mx.gmail.test}', 5);
INSERT INTO send_pace (bucket, tokens, refilled_at) VALUES ('mailclass 1', 12.5, now());
INSERT INTO scd_action (rule_id, action, object, client_id, campagne_id, mailclass_id, provider_id, reply, window_start, hits, acted_at)
VALUES (1, 'backoff_provider', 'provider 5', 1, 1, 1, 5, '421 4.7.28 slow down', now(), 20, now());
INSERT INTO scd_window (rule_id, object, times, expires_at) VALUES (1, 'provider 5', ARRAY[now()], now() + interval '10 minutes');

-- The campaign in the middle of its delivery.
UPDATE campaign SET valid = 2, capping_id = 1, esp_id = 1, member_table_id = 1, expanded_at = now(), manager_id = 1,
  estimated_volume = 120, snapshot = '{}', blacklist_ids = '{1}', test_group_id = 1 WHERE campagne_id = 1;
INSERT INTO delivery (client_id, campagne_id, member_id, email, provider_id, state, skip_reason, attempts, recorded_at, smtp_code, reply)
SELECT 1, 1, member_id, email, 1 + member_id % 9,
  (ARRAY['sent', 'sent', 'sent', 'deferred', 'rejected', 'unknown', 'skipped', 'pending', 'cancelled']::delivery_state[])[1 + member_id % 9],
  CASE WHEN member_id % 9 = 6 THEN 'unsubscribed'::skip_reason END, 1, now(), 250, '2.0.0 OK'
FROM members.t1;
INSERT INTO event (client_id, ts, type, campagne_id, member_table_id, member_id, email, verdict, provider_id, link_index)
SELECT 1, now() - member_id * interval '1 hour', kind::event_type, 1, 1, member_id, email,
  CASE WHEN kind IN ('open', 'click') THEN 'human'::hit_verdict END, 1 + member_id % 9, CASE WHEN kind = 'click' THEN 0 END
FROM members.t1, unnest(ARRAY['delivered', 'open', 'click', 'bounce']) AS kind
WHERE member_id % 4 = 0;
INSERT INTO event_cursor (name, txid) VALUES ('member-state', '0') ON CONFLICT DO NOTHING;
INSERT INTO hit_journal (file, position) VALUES ('hits-1', 512);
INSERT INTO engine (lease) VALUES ('00000000-0000-4000-8000-000000000001');
INSERT INTO engine_journal (lease, entry, begun, settled) VALUES ('00000000-0000-4000-8000-000000000001', 1, '[]', '[]');

INSERT INTO dashboard (client_id, name, created_by) VALUES (1, 'Overview', 1);
INSERT INTO dashboard_share (client_id, dashboard_id, secret_hash, expires_at) VALUES (1, 1, sha256('share'), now() + interval '1 day');
INSERT INTO reporting_group (client_id, name, campaign_ids) VALUES (1, 'Autumn', '{1}');
INSERT INTO notification (client_id, user_id, kind, code, text) VALUES (1, 1, 'info', 'import_finished', 'Import finished');
INSERT INTO notification_state (client_id, id, user_id, read_at) VALUES (1, 1, 1, now());
INSERT INTO document (client_id, endpoint, id, rev, body, ancestry) VALUES (1, 'notes', 'a', '1-a', '{"text": "Hello"}', '{1-a}');
INSERT INTO document_local (client_id, endpoint, id, body) VALUES (1, 'notes', 'checkpoint', '{"seq": 1}');
INSERT INTO document_index (client_id, endpoint, name, ddoc, fields) VALUES (1, 'notes', 'by-text', 'idx', '["text"]');
INSERT INTO webhook (client_id, url, events, secret) VALUES (1, 'https://hook.northwind.test', '{campaign.started,campaign.paused}', '\x01');
INSERT INTO webhook_message (client_id, webhook_id, types, event_count, events) VALUES (1, 1, '{campaign.started}', 1, '[]');
INSERT INTO webhook_attempt (client_id, message_id, started_at, duration_ms, status)
SELECT client_id, message_id, now(), 40, 503 FROM webhook_message;
INSERT INTO webhook_ledger_cursor (client_id) VALUES (1);
