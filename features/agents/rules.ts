// Owns the vocabulary of agents (D1 §3, §6; decisions.md "Ids that are data"): flags and account formats.
// Must never name an agent's id.

/** Which account numbers an agent may give to shops (D1 §5); the widest that applies. */
export const ACCOUNT_FORMATS = ['standard', 'long', 'any'] as const
export type AccountFormat = (typeof ACCOUNT_FORMATS)[number]
