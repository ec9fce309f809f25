// What time it is for the program. A test gives it another; nothing that judges or records a moment asks the system.

export type Clock = {
  /** The present instant. */
  now(): Date
  /**
   * Names that stand before PostgreSQL's own, where a test's database has a now() of its own ('clock,pg_catalog'): for connections
   * that set a search_path.
   */
  sqlPath?: string | undefined
}

/** The system's. */
// The system’s clock: this is it.
export const SYSTEM_CLOCK: Clock = { now: () => new Date() }
