/** Raised when processes of two versions no longer understand each other on the bus: then there is no upgrade in place. */
export const BUS_PROTOCOL = 2;
/** Of Switchyard; a test holds it equal to package.json. */
export const VERSION = '0.1.0';
