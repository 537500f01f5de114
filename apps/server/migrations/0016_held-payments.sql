-- Payments that nobody works on until a person decides: nearly always none, and whoever asks must not look at the others.
create index payments_in_review on payments (environment_id, id)
  where problem is not null and status in ('pending', 'requires_action', 'authorized');
