// Owns what a second factor is, how long its proof holds, and who must have one (reliability.md, S7). Must never read a clock.

/** A proof opens what asks for a fresh factor for so long. */
export const FRESH_MINUTES = 10

export type ChallengePurpose = 'signIn' | 'totp' | 'register' | 'assert'

/** Whom a rule is for: accounts of the vendor, owners of agents, their staff; an owner's rule is for its own staff. */
export const OPERATOR_KINDS = ['vendor', 'owners', 'staff'] as const
export type RuleKind = (typeof OPERATOR_KINDS)[number] | 'ownStaff'
