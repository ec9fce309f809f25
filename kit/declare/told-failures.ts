/** Whether a failure of the server is one that people are told of in its own words: nothing was done. */
export const isToldFailure = (code: string | undefined) => code === 'BUSY' || code === 'DISK_FULL'
