// Owns what may be saved as an agent's own account with a channel, and when it may be used (D3 §3 "Payment config", §5).
// Must never read a clock or a database.

export type CheckResult = 'right' | 'wrong' | 'unknown'
