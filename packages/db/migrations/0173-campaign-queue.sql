-- The queue of a campaign: its deferred emails by provider, which delivery_due_provider contains together with pending
-- ones, and what reply rules did because of it.
CREATE INDEX delivery_deferred ON delivery (client_id, campagne_id, provider_id, due_at) WHERE state = 'deferred';
CREATE INDEX scd_action_campaign ON scd_action (client_id, campagne_id, acted_at DESC) WHERE acted_at IS NOT NULL;
