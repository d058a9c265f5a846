// Generated from server/openapi.json by `npm run generate`. Do not edit.

export interface paths {
    "/public/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the state of all chains */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            version: string;
                            /**
                             * Format: date-time
                             * @description Time of the response
                             */
                            at: string;
                            /** @description EVM chains with watched contracts */
                            control: {
                                chain: string;
                                /**
                                 * @description unreachable: no endpoint has returned the head for a minute; not_watched: no process has reported this chain for a minute
                                 * @enum {string}
                                 */
                                state: "in_sync" | "reading_history" | "behind" | "unreachable" | "not_watched";
                                head: number | null;
                                /** @description When an endpoint last returned the head */
                                headAt: string | null;
                                /** @description When the head last changed */
                                headChangedAt: string | null;
                                lastBlockRead: number | null;
                                /** @description Blocks between the head and the last block read, confirmations not counted */
                                lag: number | null;
                                /** @description Events are complete from this block on once all history is read */
                                historyFrom: number | null;
                                /** @description The second pass has verified every block up to this one */
                                verifiedTo: number | null;
                                /** @description Backfill jobs that are reading or wait for the second pass */
                                openJobs: number;
                                /** @description Gaps of downtime that were read afterwards */
                                gapsRead: number;
                                reorgs: number;
                                endpoints: number | null;
                                /** @description Endpoints that serve the last block read */
                                endpointsAgreeing: number | null;
                                seenAt: string | null;
                            }[];
                            /** @description Indexed coin chains */
                            coins: {
                                chain: string;
                                network: string | null;
                                /**
                                 * @description unreachable: the node cannot be used; not_indexed: the index does not exist yet
                                 * @enum {string}
                                 */
                                state: "in_sync" | "behind" | "unreachable" | "not_indexed";
                                indexHeight: number | null;
                                nodeHeight: number | null;
                                lag: number | null;
                                /** @description The node or the block files that the index reads */
                                source: string | null;
                                /** @description The loops of the chain that do not work */
                                faults: {
                                    /** @enum {string} */
                                    loop: "reader" | "mempool" | "writer" | "merge";
                                    code: string;
                                    /** Format: date-time */
                                    since: string;
                                }[];
                            }[];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/status/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get how long each chain was up to date on the last 90 days */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Watched and indexed chains */
                            data: {
                                chain: string;
                                /** @description Oldest first. Days without a record are left out */
                                days: {
                                    /**
                                     * Format: date
                                     * @description In UTC
                                     */
                                    day: string;
                                    recordedMinutes: number;
                                    /** @description The recorded minutes in which the data of the chain was up to date */
                                    upToDateMinutes: number;
                                }[];
                            }[];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-up/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create an account */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "Grace",
                     *       "email": "grace@example.org",
                     *       "password": "a long password"
                     *     }
                     */
                    "application/json": {
                        name: string;
                        /** Format: email */
                        email: string;
                        password: string;
                        callbackURL?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Null if the address must be confirmed first */
                            token: string | null;
                            user: components["schemas"]["SignedInAccount"];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                422: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-in/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a password. Sets the session cookie */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "email": "ada@example.org",
                     *       "password": "a long password"
                     *     }
                     */
                    "application/json": {
                        /** Format: email */
                        email: string;
                        password: string;
                        rememberMe?: boolean;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": ({
                            /** @description The secret of the session. Browsers use the cookie instead. */
                            token: string;
                            redirect: boolean;
                            user: components["schemas"]["SignedInAccount"];
                        } & {
                            [key: string]: unknown;
                        }) | ({
                            /** @enum {boolean} */
                            twoFactorRedirect: true;
                            twoFactorMethods: string[];
                        } & {
                            [key: string]: unknown;
                        });
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/verify-totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Verify a one-time code: completes a sign-in, or the setup of one-time codes. Sets the session cookie */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Six digits */
                        code: string;
                        trustDevice?: boolean;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The secret of the session. Browsers use the cookie instead. */
                            token: string;
                            user: components["schemas"]["SignedInAccount"];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/verify-backup-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Complete a sign-in with a backup code, which works once. Sets the session cookie */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        code: string;
                        trustDevice?: boolean;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            token?: string | null;
                            user: components["schemas"]["SignedInAccount"];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/siwe/nonce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a nonce for Sign-In with Ethereum (ERC-4361) */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            nonce: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/siwe/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a message that a wallet signed. Sets the session cookie */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description An ERC-4361 message with the nonce and the host of this service */
                        message: string;
                        /** @description The EIP-191 signature of the message */
                        signature: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The secret of the session. Browsers use the cookie instead. */
                            token: string;
                            success: boolean;
                            user: {
                                id: string;
                                walletAddress: string;
                                chainId: number;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/get-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the session and its account; null without a session */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": ({
                            session: components["schemas"]["Session"];
                            user: components["schemas"]["SignedInAccount"];
                        } & {
                            [key: string]: unknown;
                        }) | null;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/list-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sessions of the account */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Session"][];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/revoke-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a session and its tokens */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The secret of the session. Browsers use the cookie instead. */
                        token: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            status: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/revoke-other-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End all sessions but this one */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            status: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/revoke-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End all sessions of the account */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            status: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a signed token for the analytics. Valid for 15 minutes, and only while the session lasts */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description A JWT, signed with Ed25519 */
                            token: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the public keys that verify signed tokens */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            keys: ({
                                kid: string;
                                kty: string;
                            } & {
                                [key: string]: unknown;
                            })[];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/update-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the name or the image of the account */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "Ada"
                     *     }
                     */
                    "application/json": {
                        name?: string;
                        image?: string | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            status: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the password. Ends all other sessions */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "currentPassword": "a long password",
                     *       "newPassword": "another long password"
                     *     }
                     */
                    "application/json": {
                        currentPassword: string;
                        newPassword: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            token: string | null;
                            user: components["schemas"]["SignedInAccount"];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enter the password again. For 15 minutes the session may create keys and change webhooks */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "password": "a long password"
                     *     }
                     */
                    "application/json": {
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            status: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set up one-time codes (TOTP, RFC 6238). They are required after the first code is verified */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "password": "a long password"
                     *     }
                     */
                    "application/json": {
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The otpauth:// address that an authenticator app reads */
                            totpURI: string;
                            /** @description Each works once in place of a code. Shown once */
                            backupCodes: string[];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/generate-backup-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the backup codes */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            status: boolean;
                            backupCodes: string[];
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop using one-time codes */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "password": "a long password"
                     *     }
                     */
                    "application/json": {
                        password: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            status: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/delete-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete the account and all its data. Needs the password, or a sign-in within the last 15 minutes */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "password": "another long password"
                     *     }
                     */
                    "application/json": {
                        password?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            success: boolean;
                            message: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/request-password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a mail with a link to choose a new password. The response does not reveal whether the account exists */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** Format: email */
                        email: string;
                        redirectTo?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            status: boolean;
                            message: string;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose a new password with the token of a mail. Ends all sessions */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        newPassword: string;
                        token: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            status: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/send-verification-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the mail that confirms an address again */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** Format: email */
                        email: string;
                        callbackURL?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            status: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Confirm an address with the token of a mail */
        get: {
            parameters: {
                query: {
                    token: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            status: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the session and its tokens */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            success: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the keys for the v1 API */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            plan: string;
                            items: {
                                /** Format: uuid */
                                id: string;
                                name: string;
                                /** @description First characters of the key, to identify it */
                                prefix: string;
                                /** Format: date-time */
                                createdAt: string;
                                lastUsedAt: string | null;
                                /** @description Requests in the current UTC month */
                                usageThisMonth: number;
                            }[];
                            usage: {
                                /** @description UTC month, YYYY-MM */
                                month: string;
                                /** @description Requests of the active keys */
                                requests: number;
                                /** @description The month quotas of the active keys together; -1 is unlimited */
                                limit: number;
                                /** Format: date-time */
                                resetAt: string;
                            };
                            limits: {
                                apiKeys: number;
                                apiRequestsPerMinute: number;
                                /** @description Per key; -1 is unlimited */
                                apiRequestsPerMonth: number;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a key for the v1 API */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "laptop"
                     *     }
                     */
                    "application/json": {
                        name: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** @description First characters of the key, to identify it */
                            prefix: string;
                            /** Format: date-time */
                            createdAt: string;
                            lastUsedAt: string | null;
                            /** @description Requests in the current UTC month */
                            usageThisMonth: number;
                            /** @description The full key. No other response contains it. */
                            key: string;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a key with immediate effect */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example 1b2f8a94-6c1d-4e0b-9a57-0d3c5e7f9a21 */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            revoked: true;
                            id: string;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/utxo-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the keys for the v2 API */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            plan: string;
                            items: {
                                /** Format: uuid */
                                id: string;
                                name: string;
                                /** @description First characters of the key, to identify it */
                                prefix: string;
                                /** Format: date-time */
                                createdAt: string;
                                lastUsedAt: string | null;
                                /** @description Requests in the current UTC month */
                                usageThisMonth: number;
                            }[];
                            usage: {
                                /** @description UTC month, YYYY-MM */
                                month: string;
                                /** @description Requests of the active keys */
                                requests: number;
                                /** @description The month quotas of the active keys together; -1 is unlimited */
                                limit: number;
                                /** Format: date-time */
                                resetAt: string;
                            };
                            limits: {
                                apiKeys: number;
                                apiRequestsPerMinute: number;
                                /** @description Per key; -1 is unlimited */
                                apiRequestsPerMonth: number;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        /** Create a key for the v2 API */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "laptop"
                     *     }
                     */
                    "application/json": {
                        name: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** @description First characters of the key, to identify it */
                            prefix: string;
                            /** Format: date-time */
                            createdAt: string;
                            lastUsedAt: string | null;
                            /** @description Requests in the current UTC month */
                            usageThisMonth: number;
                            /** @description The full key. No other response contains it. */
                            key: string;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/utxo-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a key with immediate effect */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example 7d4e0c53-2a9f-4b86-8e1d-6f5b3a1c9e42 */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            revoked: true;
                            id: string;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your subscriptions, newest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["MySubscription"][];
                            /** @description Contracts that your subscriptions added to the watched ones, and how many your plan allows */
                            newContracts: {
                                used: number;
                                limit: number;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        /** Subscribes to a contract or to a protocol */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "protocol": "aave",
                     *       "minSeverity": "high"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                         * @example ethereum
                         */
                        chain?: string;
                        /**
                         * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                         * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                         */
                        address?: string;
                        /** @description Label or slug. Covers all its contracts, also those added later */
                        protocol?: string;
                        /**
                         * @default info
                         * @enum {string}
                         */
                        minSeverity?: "info" | "high" | "critical";
                        /**
                         * @description Channels that are not named are on
                         * @default {}
                         */
                        channels?: {
                            telegram?: boolean;
                            email?: boolean;
                            webhook?: boolean;
                            slack?: boolean;
                            discord?: boolean;
                            teams?: boolean;
                            pagerduty?: boolean;
                            opsgenie?: boolean;
                            custom?: boolean;
                        };
                        /** @default true */
                        includeControllers?: boolean;
                        /**
                         * @description Changes of these powers are sent whatever their severity
                         * @default []
                         */
                        powerEffects?: ("upgrade" | "execute" | "mint" | "move_funds" | "set_price" | "set_verifier" | "grant" | "set_dependency" | "freeze" | "pause" | "set_terms" | "other")[];
                        /**
                         * @description Only events of these categories, or with one of eventKeys. Both empty: every event
                         * @default []
                         */
                        categories?: ("upgrade" | "ownership" | "access" | "pause" | "multisig" | "timelock" | "governance" | "token_admin")[];
                        /**
                         * @description See categories
                         * @default []
                         */
                        eventKeys?: string[];
                        /**
                         * @description Changes that are queued, executed or canceled are sent whatever their severity, category and key
                         * @default false
                         */
                        queuedChanges?: boolean;
                        /**
                         * @description head: when a block is first seen, with a retraction if it leaves the chain; confirmed: once the block has the confirmations of its chain; null: transactions with a critical event at head, others when confirmed
                         * @default null
                         */
                        alertAt?: ("head" | "confirmed") | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MySubscription"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a subscription and cancels its pending deliveries */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example 1 */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            deleted: true;
                            id: number;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Changes, pauses or resumes a subscription */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example 1 */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "paused": true
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        minSeverity?: "info" | "high" | "critical";
                        channels?: {
                            telegram?: boolean;
                            email?: boolean;
                            webhook?: boolean;
                            slack?: boolean;
                            discord?: boolean;
                            teams?: boolean;
                            pagerduty?: boolean;
                            opsgenie?: boolean;
                            custom?: boolean;
                        };
                        includeControllers?: boolean;
                        /** @description Changes of these powers are sent whatever their severity */
                        powerEffects?: ("upgrade" | "execute" | "mint" | "move_funds" | "set_price" | "set_verifier" | "grant" | "set_dependency" | "freeze" | "pause" | "set_terms" | "other")[];
                        /** @description Only events of these categories, or with one of eventKeys. Both empty: every event */
                        categories?: ("upgrade" | "ownership" | "access" | "pause" | "multisig" | "timelock" | "governance" | "token_admin")[];
                        /** @description See categories */
                        eventKeys?: string[];
                        /** @description Changes that are queued, executed or canceled are sent whatever their severity, category and key */
                        queuedChanges?: boolean;
                        /** @description head: when a block is first seen, with a retraction if it leaves the chain; confirmed: once the block has the confirmations of its chain; null: transactions with a critical event at head, others when confirmed */
                        alertAt?: ("head" | "confirmed") | null;
                        /** @description Events during a pause are not delivered later */
                        paused?: boolean;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MySubscription"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/me/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your alert deliveries, newest first */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    /** @description nextCursor of the previous page */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["MyNotification"][];
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notifications/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last 500 attempts of a delivery, newest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example 1 */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["DeliveryAttempt"][];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notifications/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** States that you have seen an alert, for all your channels */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example 1 */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyNotification"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notifications/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends the messages of a time range again, at most 1000 of them, oldest first */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "from": "2026-11-15T00:00:00Z",
                     *       "to": "2026-11-16T00:00:00Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: date-time */
                        from: string;
                        /** Format: date-time */
                        to: string;
                        /**
                         * @default [
                         *       "telegram",
                         *       "email",
                         *       "webhook",
                         *       "slack",
                         *       "discord",
                         *       "teams",
                         *       "pagerduty",
                         *       "opsgenie",
                         *       "custom"
                         *     ]
                         */
                        channels?: ("telegram" | "email" | "webhook" | "slack" | "discord" | "teams" | "pagerduty" | "opsgenie" | "custom")[];
                        /**
                         * @default [
                         *       "failed"
                         *     ]
                         */
                        statuses?: ("sent" | "failed")[];
                    };
                };
            };
            responses: {
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            queued: number;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notifications/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends the message of a past delivery again, to your current channel */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example 1 */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyNotification"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels/slack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets the incoming webhook of Slack */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "url": "https://hooks.slack.example/services/T0/B0/x"
                     *     }
                     */
                    "application/json": {
                        url: string;
                        /** @description Of the Slack app. With it, alerts have a button that acknowledges them */
                        signingSecret?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyChannels"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels/discord": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets the webhook of a Discord channel */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "url": "https://discord.example/api/webhooks/1/x"
                     *     }
                     */
                    "application/json": {
                        url: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyChannels"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets the webhook of a Microsoft Teams workflow */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "url": "https://teams.example/workflows/1/triggers/manual/paths/invoke"
                     *     }
                     */
                    "application/json": {
                        url: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyChannels"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels/pagerduty": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets the integration key of PagerDuty (Events API v2) */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "integrationKey": "0123456789abcdef0123456789abcdef"
                     *     }
                     */
                    "application/json": {
                        integrationKey: string;
                        /**
                         * @description The endpoint of your service region
                         * @default https://events.pagerduty.com/v2/enqueue
                         */
                        url?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyChannels"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels/opsgenie": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets the API key of Opsgenie or Jira Service Management */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "apiKey": "01234567-89ab-cdef-0123-456789abcdef"
                     *     }
                     */
                    "application/json": {
                        apiKey: string;
                        /**
                         * @description The endpoint of your service region
                         * @default https://api.opsgenie.com/v2/alerts
                         */
                        url?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyChannels"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels/custom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets a webhook whose body is a template */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "url": "https://chat.example.org/hook",
                     *       "template": "{\"text\": \"{{headline}}\"}"
                     *     }
                     */
                    "application/json": {
                        url: string;
                        /** @description The body. Placeholders: {{id}}, {{type}}, {{retracts}}, {{timestamp}}, {{severity}}, {{headline}}, {{title}}, {{text}}, {{events}}, {{eventKey}}, {{category}}, {{chain}}, {{chainId}}, {{address}}, {{contract}}, {{protocol}}, {{label}}, {{block}}, {{transaction}}, {{explorerUrl}}, {{url}}, {{payload}} */
                        template: string;
                        /**
                         * @default application/json
                         * @enum {string}
                         */
                        contentType?: "application/json" | "application/x-www-form-urlencoded" | "text/plain";
                        /** @description The value of the Authorization header */
                        authorization?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyChannels"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels/{kind}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sets the digest and the quiet hours of a channel
         * @description Messages above the severity are sent at once. Messages that already wait keep their time.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example webhook */
                    kind: "telegram" | "email" | "webhook" | "slack" | "discord" | "teams" | "pagerduty" | "opsgenie" | "custom";
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "digest": {
                     *         "minutes": 60,
                     *         "maxSeverity": "info"
                     *       },
                     *       "quietHours": {
                     *         "from": "22:00",
                     *         "to": "07:00",
                     *         "timeZone": "Europe/Berlin",
                     *         "maxSeverity": "high"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Sends events up to a severity together, every so many minutes since midnight UTC */
                        digest: {
                            minutes: number;
                            /** @enum {string} */
                            maxSeverity: "info" | "high" | "critical";
                        } | null;
                        /** @description Events up to a severity wait until the end and are sent together */
                        quietHours: {
                            from: string;
                            to: string;
                            timeZone: string;
                            /** @enum {string} */
                            maxSeverity: "info" | "high" | "critical";
                        } | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyChannels"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your channels */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyChannels"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels/telegram/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a one-time code that links a private chat or a group */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TelegramLink"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets the e-mail address. A new address has to be confirmed with a link sent to it */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "address": "ada@example.org"
                     *     }
                     */
                    "application/json": {
                        /** Format: email */
                        address: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyChannels"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sets the webhook URL */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "url": "https://hooks.example.org/gatewatch"
                     *     }
                     */
                    "application/json": {
                        url: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyChannels"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels/webhook/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a new secret. The previous one stays valid for a day */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyChannels"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a channel and cancels its pending deliveries */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example webhook */
                    kind: "telegram" | "email" | "webhook" | "slack" | "discord" | "teams" | "pagerduty" | "opsgenie" | "custom";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyChannels"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/channels/{kind}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a test message and returns the outcome */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example webhook */
                    kind: "telegram" | "email" | "webhook" | "slack" | "discord" | "teams" | "pagerduty" | "opsgenie" | "custom";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChannelTest"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/operator/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List accounts, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Part of the e-mail address */
                    search?: string;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Number of all items */
                            total: number;
                            items: components["schemas"]["OperatorAccount"][];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/operator/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the plans of an account with immediate effect */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example c0ffee00-1111-4222-8333-444455556666 */
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "plan": "team",
                     *       "utxoPlan": "pro"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        plan?: "free" | "team";
                        /** @enum {string} */
                        utxoPlan?: "basic" | "pro" | "enterprise";
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorAccount"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/me/operator/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the changes that operators made, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Only changes before this id */
                    before?: number;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["OperatorChange"][];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/operator/changes.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export the newest changes that operators made, as CSV */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The changes, newest first */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/operator/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Status of the watched chains, with their last errors */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            chains: components["schemas"]["OperatorChain"][];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/operator/contracts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Known contracts */
        get: {
            parameters: {
                query?: {
                    /** @description Part of a name or protocol, or an address */
                    search?: string;
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Number of all items */
                            total: number;
                            items: components["schemas"]["RegisteredContract"][];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/operator/contracts/{chain}/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Watches a contract, or changes its name. Imports do not overwrite these values */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "Aave V3 Pool",
                     *       "protocol": "Aave"
                     *     }
                     */
                    "application/json": {
                        name?: string;
                        protocol?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            isNew: boolean;
                            contract: components["schemas"]["RegisteredContract"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Change feed over all chains, newest first, or forward in publication order
         * @description Without `after`, pages run from the newest block time backwards. An event that is stored late (a backfill, a slower
         *     chain) then appears between events that were read before, so a reader that polls the first page can miss it.
         *
         *     To miss nothing, read forward with `after`. Events come in the order in which they were published, oldest first:
         *
         *     1. Start once with `after=now` (new events only) or `after=beginning` (all stored events).
         *     2. Process `data`, then store `nextCursor`. It is never null.
         *     3. Call again with `after` set to the stored cursor and the same filters. If `nextCursor` equals the cursor you sent, you
         *        have read everything: wait, for example 30 seconds. Otherwise call again at once, also if `data` is empty: one call
         *        examines a limited number of events.
         *
         *     `retracted` is true if a reorg removed the event from the chain: undo what you did for the event with this `id`, and ignore
         *     it if you never received that event. An event can be published again after its retraction, with the same or another `id`.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain?: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address?: string;
                    /** @description Minimum severity */
                    severity?: "info" | "high" | "critical";
                    /** @description Exact eventKey */
                    key?: string;
                    category?: "upgrade" | "ownership" | "access" | "pause" | "multisig" | "timelock" | "governance" | "token_admin";
                    includeInit?: boolean;
                    limit?: number;
                    /** @description nextCursor of the previous page */
                    cursor?: string;
                    /** @description Reads forward, oldest publication first: beginning, now, or nextCursor of the previous response. Not with cursor */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["FeedEvent"][];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The change feed as server-sent events, in publication order
         * @description Sends each event when it is published, and again when a reorg retracts it, in publication order: the order of
         *     `/v1/events?after=`, with the same filters, the same data and the same cursors.
         *
         *     ```
         *     id: cC4xMjM0LjU2Nzg
         *     event: published
         *     data: {"id":5678,"eventKey":"proxy.upgraded",…,"retracted":false}
         *     ```
         *
         *     `event` is `published` or `retracted`. A retraction carries the event that left the chain: undo what you did for its `id`.
         *
         *     Every `id` is a cursor. After a lost connection, send the last one as `Last-Event-ID`: the stream continues after it, without
         *     a gap and without a repetition. Browsers and most libraries do this on their own. Cursors are kept for at least seven days.
         *
         *     Every 15 seconds without an event a comment arrives, with the current `id`. A stream that is silent for a minute is lost:
         *     connect again. A revoked key ends the stream with an event `end`.
         *
         *     Opening a stream counts as one request. An account can keep 20 streams open.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain?: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address?: string;
                    /** @description Minimum severity */
                    severity?: "info" | "high" | "critical";
                    /** @description Exact eventKey */
                    key?: string;
                    category?: "upgrade" | "ownership" | "access" | "pause" | "multisig" | "timelock" | "governance" | "token_admin";
                    includeInit?: boolean;
                    /** @description Where to start: beginning, now, or a cursor of the publication order. Last-Event-ID takes precedence */
                    after?: string;
                };
                header?: {
                    /** @description The id of the last event received. Continues after it */
                    "last-event-id"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A stream */
                200: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All events that match, newest first, as CSV or NDJSON */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain?: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address?: string;
                    /** @description Minimum severity */
                    severity?: "info" | "high" | "critical";
                    /** @description Exact eventKey */
                    key?: string;
                    category?: "upgrade" | "ownership" | "access" | "pause" | "multisig" | "timelock" | "governance" | "token_admin";
                    includeInit?: boolean;
                    /** @description `csv` has one column for each field, with a header line; `ndjson` has one JSON object in each line */
                    format?: "csv" | "ndjson";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All rows. The connection breaks if they cannot be read to the end: a complete response is complete */
                200: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                        "application/x-ndjson": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/notifications/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All alert deliveries of the key's owner, newest first, as CSV or NDJSON */
        get: {
            parameters: {
                query?: {
                    /** @description `csv` has one column for each field, with a header line; `ndjson` has one JSON object in each line */
                    format?: "csv" | "ndjson";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All rows. The connection breaks if they cannot be read to the end: a complete response is complete */
                200: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                        "application/x-ndjson": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contracts/{chain}/{address}/labels/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All label changes of a contract, newest first, as CSV or NDJSON */
        get: {
            parameters: {
                query?: {
                    /** @description `csv` has one column for each field, with a header line; `ndjson` has one JSON object in each line */
                    format?: "csv" | "ndjson";
                };
                header?: never;
                path: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All rows. The connection breaks if they cannot be read to the end: a complete response is complete */
                200: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                        "application/x-ndjson": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/contracts/{chain}/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One contract */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ContractView"];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/addresses/{chain}/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an address can do: itself, as a signer, and through accounts it controls */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["AddressView"];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Queued changes, earliest execution first
         * @description What timelocks, governors, delay modules and Safes are about to do, with the calls decoded as far as their
         *     functions are known. A change is listed if its contract is registered or controls a registered contract. Safe transactions
         *     that wait for signatures are listed on chains with a Safe Transaction Service, if an owner has signed them.
         *
         *     The code of every target is compared with its code at the time of queueing. `hasChanged` is true if it differs: the change
         *     may then do something else than what was reviewed.
         */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain?: string;
                    /**
                     * @description The contract that queues the change, or one that the change affects
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address?: string;
                    /**
                     * @description Label or slug of a protocol
                     * @example aave
                     */
                    protocol?: string;
                    /** @description open: earliest execution first. closed: newest first */
                    state?: "open" | "closed";
                    limit?: number;
                    /** @description nextCursor of the previous page */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["PendingChange"][];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/protocols/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A protocol across chains */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Label or slug of a protocol
                     * @example aave
                     */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ProtocolView"];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The key owner's subscriptions
         * @description One entry for each contract. The entries of a subscription to a protocol have the same id, by which `/me/subscriptions` manages it.
         */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    /** @description nextCursor of the previous page */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Subscription"][];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The key owner's alert deliveries, newest first */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    /** @description nextCursor of the previous page */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Delivery"][];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/notifications/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last 500 attempts of a delivery, newest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example 1 */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["DeliveryAttempt"][];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests that the key has left in this month */
                        "x-service-quota-remaining"?: number;
                        /** @description When the next month begins (UTC) */
                        "x-service-quota-reset"?: string;
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** State of a chain */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                chain: string;
                                chainName: string;
                                symbol: string;
                                blockHeight: number;
                                difficulty: number;
                                hashrate: string;
                                mempoolSize: number;
                                synced: boolean;
                                source: string;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Chains of this service */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                chains: {
                                    /** @enum {string} */
                                    id: "btc" | "ltc";
                                    name: string;
                                    symbol: string;
                                    enabled: boolean;
                                }[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/address/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Balance and totals of an address */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                    sync?: boolean;
                };
                header?: never;
                path: {
                    /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                address: string;
                                chain: string;
                                /** @description Confirmed coins, also those that an unconfirmed transaction spends */
                                balance: number;
                                /** @description Decimal with 8 fractional places */
                                balanceFormatted: string;
                                totalReceived: number;
                                totalSent: number;
                                /** @description Confirmed transactions */
                                txCount: number;
                                /** @description What the unconfirmed transactions add to the balance; can be negative */
                                unconfirmedBalance: number;
                                /** @description Unconfirmed transactions; /txs lists them before the confirmed ones */
                                unconfirmedTxCount: number;
                                calculating: boolean;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/address/{address}/utxos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Unspent outputs of an address, most valuable first */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                address: string;
                                chain: string;
                                utxos: {
                                    txid: string;
                                    vout: number;
                                    value: number;
                                    /** @description Decimal with 8 fractional places */
                                    valueFormatted: string;
                                    confirmations: number;
                                }[];
                                count: number;
                                limited: boolean;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/address/{address}/txs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** History of an address, newest first */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                    page?: number;
                    pageSize?: number;
                    cursor?: string;
                };
                header?: never;
                path: {
                    /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                address: string;
                                chain: string;
                                page: number;
                                pageSize: number;
                                totalPages: number;
                                /** @description Unconfirmed and confirmed transactions */
                                totalItems: number;
                                txs: {
                                    txid: string;
                                    blockHash: string | null;
                                    blockHeight: number | null;
                                    confirmations: number;
                                    /** Format: date-time */
                                    timestamp: string;
                                    fee: number;
                                    vsize: number;
                                    received: number;
                                    sent: number;
                                    net: number;
                                    /** @enum {string} */
                                    direction: "in" | "out" | "self";
                                    inputs: ({
                                        /** @enum {boolean} */
                                        isCoinbase: true;
                                    } | {
                                        /** @enum {boolean} */
                                        isCoinbase: false;
                                        txid: string;
                                        vout: number;
                                        sequence: number;
                                        address: string | null;
                                        value: number;
                                        /** @description Decimal with 8 fractional places */
                                        valueFormatted: string;
                                        scriptType: string;
                                        witness?: string[];
                                    })[];
                                    outputs: {
                                        n: number;
                                        value: number;
                                        /** @description Decimal with 8 fractional places */
                                        valueFormatted: string;
                                        address: string | null;
                                    }[];
                                }[];
                                nextCursor: string | null;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/address/{address}/txs/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The whole history of an address, newest first, as CSV or NDJSON */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                    /** @description `csv` has one column for each field, with a header line; `ndjson` has one JSON object in each line */
                    format?: "csv" | "ndjson";
                };
                header?: never;
                path: {
                    /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All rows. The connection breaks if they cannot be read to the end: a complete response is complete */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                        "application/x-ndjson": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/address/{address}/balance-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Balance of an address over time, by block or by day */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                    by?: "block" | "day";
                    /** @description The first height, or the first day in UTC; by default the first that has a change */
                    from?: string;
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                address: string;
                                chain: string;
                                /** @enum {string} */
                                by: "block" | "day";
                                /** @description Oldest first; only blocks or days with a transaction */
                                points: {
                                    /** @description The day in UTC, or the day of the block */
                                    date: string;
                                    /** @description The block after which the balance holds */
                                    height: number;
                                    balance: number;
                                    /** @description Within this block or day */
                                    received: number;
                                    sent: number;
                                    txCount: number;
                                }[];
                                /** @description `from` of the next request; null at the end */
                                next: string | null;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tx/{txid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A transaction */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                };
                header?: never;
                path: {
                    /** @example 4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b */
                    txid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                txid: string;
                                /** @description The wtxid */
                                hash: string;
                                version: number;
                                size: number;
                                vsize: number;
                                weight: number;
                                locktime: number;
                                blockHash: string | null;
                                blockHeight: number | null;
                                confirmations: number;
                                fee: number;
                                inputs: ({
                                    /** @enum {boolean} */
                                    isCoinbase: true;
                                } | {
                                    /** @enum {boolean} */
                                    isCoinbase: false;
                                    txid: string;
                                    vout: number;
                                    sequence: number;
                                    address: string | null;
                                    value: number;
                                    /** @description Decimal with 8 fractional places */
                                    valueFormatted: string;
                                    scriptType: string;
                                    witness?: string[];
                                })[];
                                outputs: {
                                    n: number;
                                    value: number;
                                    /** @description Decimal with 8 fractional places */
                                    valueFormatted: string;
                                    address: string | null;
                                }[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/block/{hashOrHeight}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A block */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                    txids?: boolean;
                };
                header?: never;
                path: {
                    /** @example 0 */
                    hashOrHeight: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                hash: string;
                                height: number;
                                confirmations: number;
                                version: number;
                                merkleRoot: string;
                                /** Format: date-time */
                                timestamp: string;
                                /** Format: date-time */
                                medianTime: string;
                                nonce: number;
                                bits: string;
                                difficulty: number;
                                size: number;
                                weight: number;
                                strippedSize: number;
                                txCount: number;
                                previousBlockHash: string | null;
                                nextBlockHash: string | null;
                                /** @description What the coinbase transaction pays; a miner may claim less than subsidy and fees */
                                reward: number;
                                /** @description New coins that the block may create */
                                subsidy: number;
                                totalFees: number;
                                feeRates: {
                                    p10: number;
                                    p25: number;
                                    p50: number;
                                    p75: number;
                                    p90: number;
                                };
                                mweb?: {
                                    hogexTxid: string;
                                    amount: number;
                                };
                                txids?: string[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Broadcast a signed transaction, or a package of them */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "chain": "btc",
                     *       "transactions": [
                     *         "01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000"
                     *       ],
                     *       "testOnly": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @default btc
                         * @example btc
                         * @enum {string}
                         */
                        chain?: "btc" | "ltc";
                        /** @description Signed transactions in hexadecimal, parents before their children */
                        transactions: string[];
                        /**
                         * @description sat/vB; a transaction that pays more is refused. 0 for no limit
                         * @default 10000
                         */
                        maxFeeRate?: number;
                        /**
                         * @description Asks the node without sending anything
                         * @default false
                         */
                        testOnly?: boolean;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                chain: string;
                                /** @description Whether no transaction was refused */
                                accepted: boolean;
                                transactions: {
                                    txid: string;
                                    wtxid: string;
                                    vsize: number;
                                    /** @description As the node computed it; null if it did not */
                                    fee: number | null;
                                    /**
                                     * @description `sent` now; `accepted` but not sent, because of testOnly or of a refused one; `known`: already in the mempool; `confirmed`: already in a block
                                     * @enum {string}
                                     */
                                    state: "sent" | "accepted" | "known" | "confirmed" | "refused";
                                    /** @description The reason of the node, for a refused one */
                                    reason: string | null;
                                    /** @description The same in words */
                                    explanation: string | null;
                                }[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tx/{txid}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The bytes of a transaction */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                };
                header?: never;
                path: {
                    /** @example 4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b */
                    txid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                txid: string;
                                chain: string;
                                blockHeight: number | null;
                                hex: string;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/utxos/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Inscriptions and runes on outputs */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "chain": "btc",
                     *       "outpoints": [
                     *         "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b:0"
                     *       ],
                     *       "depth": 2
                     *     }
                     */
                    "application/json": {
                        /**
                         * @default btc
                         * @example btc
                         * @enum {string}
                         */
                        chain?: "btc" | "ltc";
                        /** @description As txid:vout */
                        outpoints: string[];
                        /**
                         * @description How many transactions back the satoshi are followed, first in, first out
                         * @default 0
                         */
                        depth?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                chain: string;
                                /** @description Whether all transactions that depth asks for could be read */
                                isComplete: boolean;
                                outputs: {
                                    txid: string;
                                    vout: number;
                                    assets: {
                                        /** @enum {string} */
                                        kind: "inscription" | "rune";
                                        /**
                                         * @description Whether an edict or a mint of runes succeeded is not known
                                         * @enum {string}
                                         */
                                        certainty: "certain" | "possible";
                                        /** @description The transaction that shows it */
                                        txid: string;
                                        /** @description The input that revealed an inscription */
                                        input: number | null;
                                        contentType: string | null;
                                    }[];
                                }[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tx/{txid}/bump": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How to raise the fee rate of an unconfirmed transaction, and what it costs */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                    /** @description The wanted rate in sat/vB */
                    feeRate?: number;
                    /** @description Instead of feeRate: the rate for confirmation within so many blocks; 2 by default */
                    confTarget?: number;
                };
                header?: never;
                path: {
                    /** @example 4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b */
                    txid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                txid: string;
                                chain: string;
                                /** @enum {string} */
                                state: "unconfirmed" | "confirmed";
                                /**
                                 * @description The cheapest possible; none if the rate is enough
                                 * @enum {string}
                                 */
                                recommendation: "none" | "rbf" | "cpfp" | "wait";
                                /** @description Null for a confirmed transaction */
                                advice: {
                                    version: number;
                                    vsize: number;
                                    fee: number;
                                    /** @description sat/vB */
                                    feeRate: number;
                                    /** @description The wanted rate */
                                    targetFeeRate: number;
                                    /** @description The target that gives the wanted rate; null if feeRate was sent */
                                    confTarget: number | null;
                                    /** @description Whether it is mined at the wanted rate already, also with what its descendants pay */
                                    isEnough: boolean;
                                    /** @description Unconfirmed transactions that it needs */
                                    ancestors: {
                                        count: number;
                                        vsize: number;
                                        fees: number;
                                    };
                                    /** @description Unconfirmed transactions that need it */
                                    descendants: {
                                        count: number;
                                        vsize: number;
                                        fees: number;
                                    };
                                    /** @description Replacing it by a transaction with the same inputs and outputs that pays more */
                                    rbf: {
                                        possible: boolean;
                                        reason: ("NOT_SIGNALED" | "TOO_MANY_REPLACED") | null;
                                        /** @description Why the node replaces it; null if it does not */
                                        rule: ("bip125" | "full-rbf" | "truc") | null;
                                        /** @description The transaction and its descendants */
                                        replacedCount: number;
                                        replacedFees: number;
                                        /** @description The lowest fee that the node accepts */
                                        minFee: number;
                                        /** @description The fee for the wanted rate, at least minFee */
                                        fee: number;
                                        /** @description What it costs in addition to the fee paid now */
                                        cost: number;
                                        feeRate: number;
                                    };
                                    /** @description Spending one of its outputs with a higher fee. Possible and cheap ones first, at most 25 */
                                    cpfp: {
                                        possible: boolean;
                                        children: {
                                            vout: number;
                                            address: string;
                                            value: number;
                                            /** @description Of the child */
                                            vsize: number;
                                            /** @description Of the child */
                                            fee: number;
                                            /** @description Transactions that the child pays for */
                                            packageCount: number;
                                            packageVsize: number;
                                            packageFees: number;
                                            /** @description Of the package with the child */
                                            feeRate: number;
                                            /** @description Why there can be no such child; null if there can */
                                            reason: ("TOO_MANY_ANCESTORS" | "TOO_MANY_DESCENDANTS" | "TRUC_HAS_CHILD" | "TRUC_CHILD_TOO_LARGE" | "OUTPUT_TOO_SMALL") | null;
                                            /** @description The address has not spent yet, and its script is assumed */
                                            isSizeAssumed: boolean;
                                        }[];
                                    };
                                } | null;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tx/{txid}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Proof that a block contains a transaction */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                };
                header?: never;
                path: {
                    /** @example 4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b */
                    txid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                txid: string;
                                chain: string;
                                blockHash: string;
                                blockHeight: number;
                                /** @description Of the transaction in its block, from 0 */
                                position: number;
                                /** @description The hashes to combine with the txid, lowest level first */
                                merkle: string[];
                                merkleRoot: string;
                                /** @description 80 bytes in hexadecimal */
                                header: string;
                                /** @description The same proof as a merkleblock message (BIP 37), for `verifytxoutproof` */
                                proof: string;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tx/{txid}/outspends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which transactions spend the outputs of a transaction */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                };
                header?: never;
                path: {
                    /** @example 4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b */
                    txid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                txid: string;
                                chain: string;
                                outputs: {
                                    vout: number;
                                    value: number;
                                    /** @enum {string} */
                                    state: "unspent" | "spent" | "unspendable";
                                    /** @description Null unless spent; also null if the address has too many transactions to search */
                                    spender: {
                                        txid: string;
                                        vin: number;
                                        blockHeight: number | null;
                                        confirmations: number;
                                    } | null;
                                }[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/address/{address}/mempool": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Unconfirmed transactions of an address */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                };
                header?: never;
                path: {
                    /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                address: string;
                                chain: string;
                                /** @description What the unconfirmed transactions add to the balance; can be negative */
                                unconfirmedBalance: number;
                                /** @description Unconfirmed transactions; /txs lists them before the confirmed ones */
                                unconfirmedTxCount: number;
                                /** @description Newest first, at most 100 */
                                txs: {
                                    txid: string;
                                    blockHash: string | null;
                                    blockHeight: number | null;
                                    confirmations: number;
                                    /** Format: date-time */
                                    timestamp: string;
                                    fee: number;
                                    vsize: number;
                                    received: number;
                                    sent: number;
                                    net: number;
                                    /** @enum {string} */
                                    direction: "in" | "out" | "self";
                                    inputs: ({
                                        /** @enum {boolean} */
                                        isCoinbase: true;
                                    } | {
                                        /** @enum {boolean} */
                                        isCoinbase: false;
                                        txid: string;
                                        vout: number;
                                        sequence: number;
                                        address: string | null;
                                        value: number;
                                        /** @description Decimal with 8 fractional places */
                                        valueFormatted: string;
                                        scriptType: string;
                                        witness?: string[];
                                    })[];
                                    outputs: {
                                        n: number;
                                        value: number;
                                        /** @description Decimal with 8 fractional places */
                                        valueFormatted: string;
                                        address: string | null;
                                    }[];
                                }[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/headers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Headers of consecutive blocks */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                    from?: number;
                    count?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                chain: string;
                                /** @description Height of the first header */
                                from: number;
                                count: number;
                                /** @description 80 bytes each, in hexadecimal */
                                headers: string[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Blocks with their fee rates, newest first */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                    to?: number;
                    count?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                chain: string;
                                /** @description Height of the newest block of the chain */
                                tip: number;
                                /** @description Newest first */
                                blocks: {
                                    hash: string;
                                    height: number;
                                    /** Format: date-time */
                                    timestamp: string;
                                    size: number;
                                    weight: number;
                                    txCount: number;
                                    totalFees: number;
                                    feeRates: {
                                        p10: number;
                                        p25: number;
                                        p50: number;
                                        p75: number;
                                        p90: number;
                                    };
                                }[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/blocks/at": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last block at or before a time */
        get: {
            parameters: {
                query: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                    /** @example 2024-04-20T00:00:00Z */
                    time: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                chain: string;
                                hash: string;
                                height: number;
                                confirmations: number;
                                /** Format: date-time */
                                timestamp: string;
                                /** Format: date-time */
                                medianTime: string;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Fee rates */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                low: number;
                                medium: number;
                                high: number;
                                urgent: number;
                                /** @enum {string} */
                                unit: "sat/vB";
                                source: string;
                                mempoolSize: number;
                                /** Format: date-time */
                                timestamp: string;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Simulate a payment */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "chain": "btc",
                     *       "fromAddress": "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
                     *       "toAddress": "12c6DSiU4Rq3P4ZxziKxzrL5LmMBrzjrJX",
                     *       "amount": 100000,
                     *       "feeRate": 12
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Destination address; required without recipients
                         * @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
                         */
                        toAddress?: string;
                        /** @description Satoshi that toAddress receives; required with toAddress and without sendAll */
                        amount?: number;
                        /**
                         * @description Recipients in addition to toAddress. Each address can receive one amount
                         * @default []
                         */
                        recipients?: {
                            /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                            address: string;
                            amount: number;
                        }[];
                        /**
                         * @description Spends every coin: toAddress receives what the fee and the recipients leave
                         * @default false
                         */
                        sendAll?: boolean;
                        /**
                         * @description Coins that the payment spends in any case, as txid:vout
                         * @default []
                         */
                        mustUse?: string[];
                        /**
                         * @description Coins that the payment does not spend, as txid:vout
                         * @default []
                         */
                        mustNotUse?: string[];
                        /**
                         * @description Receives the change
                         * @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
                         */
                        changeAddress?: string;
                        /**
                         * @description A height, or a time in seconds since 1970
                         * @default 0
                         */
                        locktime?: number;
                        /**
                         * @description The sequence of every input; the default signals replacement (BIP 125)
                         * @default 4294967293
                         */
                        sequence?: number;
                        /**
                         * @description sat/vB, with up to 3 decimal places
                         * @default 10
                         */
                        feeRate?: number;
                        /** @description Instead of feeRate: the rate for confirmation within so many blocks */
                        confTarget?: number;
                        /**
                         * @default optimal
                         * @enum {string}
                         */
                        utxoSelection?: "optimal" | "largest" | "smallest" | "oldest";
                        /**
                         * @description Adds the result of every strategy
                         * @default false
                         */
                        compareStrategies?: boolean;
                        /**
                         * @description Adds the unsigned transaction for a wallet to sign
                         * @default false
                         */
                        psbt?: boolean;
                        /**
                         * @description Also selects unconfirmed coins
                         * @default false
                         */
                        includeUnconfirmed?: boolean;
                        /**
                         * @description Does not spend coins with inscriptions or runes and outputs of dust attacks: small inspects coins up to 20,000 satoshi (ltc 200,000)
                         * @default small
                         * @enum {string}
                         */
                        protect?: "small" | "all" | "none";
                        /**
                         * @description Source address
                         * @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
                         */
                        fromAddress: string;
                        /** @description How fromAddress is spent, for an address that has not spent yet: p2pkh, p2pkh-uncompressed, p2sh-p2wpkh, p2sh-2of3, p2sh-p2wsh-2of3, p2wsh-2of3, p2wpkh, p2tr */
                        inputType?: string;
                        /** @description The script of a P2SH fromAddress, in hexadecimal */
                        redeemScript?: string;
                        /** @description The witness script of fromAddress, in hexadecimal */
                        witnessScript?: string;
                        /** @description The output descriptor of fromAddress; its keys are only counted */
                        descriptor?: string;
                        /**
                         * @default btc
                         * @example btc
                         * @enum {string}
                         */
                        chain?: "btc" | "ltc";
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                viable: boolean;
                                /** @description Why the payment cannot be made; null if it can. INPUT_SIZE_ASSUMED with viable: the script of fromAddress is unknown, and the fee is correct only if the assumption is */
                                reason: ("NO_UTXOS" | "INSUFFICIENT_FUNDS" | "FEES_EXCEED" | "AMOUNT_BELOW_DUST" | "TX_TOO_LARGE" | "FEE_BELOW_MIN_RELAY" | "INPUT_SIZE_ASSUMED") | null;
                                /** @description What is missing for amount and fee */
                                shortfall: number;
                                /** @description The algorithm that selected the coins */
                                algorithm: string | null;
                                estimatedFee: number;
                                /** @description Virtual bytes */
                                estimatedSize: number;
                                weight: number;
                                selectedUtxos: {
                                    txid: string;
                                    vout: number;
                                    value: number;
                                }[];
                                inputCount: number;
                                outputCount: number;
                                totalInput: number;
                                totalOutput: number;
                                change: number;
                                /** @description Rounded down to a whole number, or to 3 decimal places if feeRate has decimals */
                                effectiveFeeRate: number;
                                /** @description The waste metric that optimal minimizes; null if the payment cannot be made */
                                waste: number | null;
                                chain: string;
                                /** @description The sum of all recipients */
                                amount: number;
                                recipients: components["schemas"]["PaidRecipient"][];
                                feeRate: number;
                                /** @description The requested target; feeRate is the rate for it */
                                confTarget: number | null;
                                /** @description The fee of the same coins with the smallest and the largest usual script; null if the script is known */
                                feeRange: {
                                    min: number;
                                    max: number;
                                } | null;
                                /** @description The least amount that the first recipient can receive */
                                dustThreshold: number;
                                changeDustThreshold: number;
                                utxoSelection: string;
                                scriptType: string;
                                changeAddress: string | null;
                                locktime: number;
                                sequence: number;
                                longTermFeeRate: number;
                                assumptions: string[];
                                warnings: string[];
                                /** @description Why optimal pays a higher fee than another strategy; null if it does not */
                                higherFeeReason: string | null;
                                /** @description Coins that cannot be selected */
                                excluded: {
                                    immature: number;
                                    unconfirmed: number;
                                    mustNotUse: number;
                                    protected: number;
                                };
                                /** @description Coins that were not selected because of protect */
                                protectedUtxos: {
                                    txid: string;
                                    vout: number;
                                    value: number;
                                    assets: {
                                        /** @enum {string} */
                                        kind: "inscription" | "rune";
                                        /**
                                         * @description Whether an edict or a mint of runes succeeded is not known
                                         * @enum {string}
                                         */
                                        certainty: "certain" | "possible";
                                        /** @description The transaction that shows it */
                                        txid: string;
                                        /** @description The input that revealed an inscription */
                                        input: number | null;
                                        contentType: string | null;
                                    }[];
                                    /** @description Why it looks like an output of a dust attack */
                                    dustAttack: {
                                        /** @enum {string} */
                                        verdict: "possible" | "probable";
                                        reasons: string[];
                                    } | null;
                                }[];
                                tip: {
                                    height: number;
                                    hash: string;
                                };
                                /** @description The result of every strategy, with compareStrategies */
                                strategies?: {
                                    strategy: string;
                                    viable: boolean;
                                    /** @description Why the payment cannot be made; null if it can. INPUT_SIZE_ASSUMED with viable: the script of fromAddress is unknown, and the fee is correct only if the assumption is */
                                    reason: ("NO_UTXOS" | "INSUFFICIENT_FUNDS" | "FEES_EXCEED" | "AMOUNT_BELOW_DUST" | "TX_TOO_LARGE" | "FEE_BELOW_MIN_RELAY" | "INPUT_SIZE_ASSUMED") | null;
                                    /** @description What is missing for amount and fee */
                                    shortfall: number;
                                    /** @description The algorithm that selected the coins */
                                    algorithm: string | null;
                                    estimatedFee: number;
                                    /** @description Virtual bytes */
                                    estimatedSize: number;
                                    weight: number;
                                    selectedUtxos: {
                                        txid: string;
                                        vout: number;
                                        value: number;
                                    }[];
                                    inputCount: number;
                                    outputCount: number;
                                    totalInput: number;
                                    totalOutput: number;
                                    change: number;
                                    /** @description Rounded down to a whole number, or to 3 decimal places if feeRate has decimals */
                                    effectiveFeeRate: number;
                                    /** @description The waste metric that optimal minimizes; null if the payment cannot be made */
                                    waste: number | null;
                                }[];
                                /** @description Unsigned PSBT (BIP 174) in base64, with psbt; null if the payment cannot be made or the input size is assumed */
                                psbt?: string | null;
                                /** @description The same transaction as PSBT version 2 (BIP 370) */
                                psbtV2?: string | null;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/health/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health of the unspent outputs of an address */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                };
                header?: never;
                path: {
                    /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                address: string;
                                chain: string;
                                score: number;
                                /** @enum {string} */
                                grade: "A" | "B" | "C" | "D" | "F";
                                /** @description Number of the coins that balance sums up */
                                utxoCount: number;
                                /** @description Confirmed coins, also those that an unconfirmed transaction spends */
                                balance: number;
                                /** @description What the unconfirmed transactions add to the balance; can be negative */
                                unconfirmedBalance: number;
                                issues: string[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/analyze/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Privacy, dust and consolidation of an address */
        get: {
            parameters: {
                query?: {
                    /** @example btc */
                    chain?: "btc" | "ltc";
                };
                header?: never;
                path: {
                    /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["Analysis"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Wallets that the account keeps */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                wallets: components["schemas"]["KeptWallet"][];
                                /** @description Of the plan */
                                limit: number;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        /** Balance and totals of a wallet */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "chain": "btc",
                     *       "descriptor": "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs"
                     *     }
                     */
                    "application/json": {
                        /** @description An output descriptor with public keys (BIP 380 to 386, 389), or an extended public key */
                        descriptor?: string;
                        /** @description A kept wallet instead of a descriptor; its chain is used */
                        walletId?: string;
                        /**
                         * @default btc
                         * @example btc
                         * @enum {string}
                         */
                        chain?: "btc" | "ltc";
                        /**
                         * @description A branch ends after so many unused addresses; by default that of the kept wallet
                         * @default 20
                         */
                        gapLimit?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                /** @description The descriptor with its checksum */
                                descriptor: string;
                                chain: string;
                                /** @description Confirmed coins, also those that an unconfirmed transaction spends */
                                balance: number;
                                /** @description Decimal with 8 fractional places */
                                balanceFormatted: string;
                                /** @description Sum over all addresses; payments inside the wallet count */
                                totalReceived: number;
                                totalSent: number;
                                /** @description Confirmed transactions */
                                txCount: number;
                                /** @description Number of the coins that balance sums up */
                                utxoCount: number;
                                /** @description What the unconfirmed transactions add to the balance; can be negative */
                                unconfirmedBalance: number;
                                /** @description Unconfirmed transactions; /txs lists them before the confirmed ones */
                                unconfirmedTxCount: number;
                                branches: {
                                    branch: number;
                                    /** @description Indexes that were paid */
                                    used: number;
                                    /** @description The first address after the last used one */
                                    next: {
                                        address: string | null;
                                        /** @description 0 for receive and 1 for change addresses, where the descriptor has both */
                                        branch: number;
                                        index: number;
                                        /** @description From the master key if the descriptor names the origin (`m/84h/0h/0h/0/5`), otherwise below the extended key (`0/5`) */
                                        path: string | null;
                                    } | null;
                                }[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/wallets/utxos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Unspent outputs of a wallet with their derivation paths, most valuable first */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "chain": "btc",
                     *       "descriptor": "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs",
                     *       "limit": 100
                     *     }
                     */
                    "application/json": {
                        /** @description An output descriptor with public keys (BIP 380 to 386, 389), or an extended public key */
                        descriptor?: string;
                        /** @description A kept wallet instead of a descriptor; its chain is used */
                        walletId?: string;
                        /**
                         * @default btc
                         * @example btc
                         * @enum {string}
                         */
                        chain?: "btc" | "ltc";
                        /**
                         * @description A branch ends after so many unused addresses; by default that of the kept wallet
                         * @default 20
                         */
                        gapLimit?: number;
                        limit?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                chain: string;
                                utxos: {
                                    txid: string;
                                    vout: number;
                                    value: number;
                                    /** @description Decimal with 8 fractional places */
                                    valueFormatted: string;
                                    confirmations: number;
                                    address: string | null;
                                    /** @description 0 for receive and 1 for change addresses, where the descriptor has both */
                                    branch: number;
                                    index: number;
                                    /** @description From the master key if the descriptor names the origin (`m/84h/0h/0h/0/5`), otherwise below the extended key (`0/5`) */
                                    path: string | null;
                                    /** @description The label (BIP 329), if the wallet is a kept one: that of the output, its address or its transaction */
                                    label?: string | null;
                                }[];
                                count: number;
                                limited: boolean;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/wallets/txs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** History of a wallet, one entry per transaction, newest first */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "chain": "btc",
                     *       "descriptor": "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs",
                     *       "page": 1,
                     *       "pageSize": 25
                     *     }
                     */
                    "application/json": {
                        /** @description An output descriptor with public keys (BIP 380 to 386, 389), or an extended public key */
                        descriptor?: string;
                        /** @description A kept wallet instead of a descriptor; its chain is used */
                        walletId?: string;
                        /**
                         * @default btc
                         * @example btc
                         * @enum {string}
                         */
                        chain?: "btc" | "ltc";
                        /**
                         * @description A branch ends after so many unused addresses; by default that of the kept wallet
                         * @default 20
                         */
                        gapLimit?: number;
                        /** @default 1 */
                        page?: number;
                        /** @default 25 */
                        pageSize?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @description `self` moves coins inside the wallet; `out` includes payments with change */
                            data: {
                                chain: string;
                                page: number;
                                pageSize: number;
                                totalPages: number;
                                /** @description Unconfirmed and confirmed transactions */
                                totalItems: number;
                                txs: {
                                    txid: string;
                                    blockHash: string | null;
                                    blockHeight: number | null;
                                    confirmations: number;
                                    /** Format: date-time */
                                    timestamp: string;
                                    fee: number;
                                    vsize: number;
                                    received: number;
                                    sent: number;
                                    net: number;
                                    /** @enum {string} */
                                    direction: "in" | "out" | "self";
                                    inputs: ({
                                        /** @enum {boolean} */
                                        isCoinbase: true;
                                    } | {
                                        /** @enum {boolean} */
                                        isCoinbase: false;
                                        txid: string;
                                        vout: number;
                                        sequence: number;
                                        address: string | null;
                                        value: number;
                                        /** @description Decimal with 8 fractional places */
                                        valueFormatted: string;
                                        scriptType: string;
                                        witness?: string[];
                                    })[];
                                    outputs: {
                                        n: number;
                                        value: number;
                                        /** @description Decimal with 8 fractional places */
                                        valueFormatted: string;
                                        address: string | null;
                                    }[];
                                    /** @description The label (BIP 329), if the wallet is a kept one: that of the output, its address or its transaction */
                                    label?: string | null;
                                }[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/wallets/balance-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Balance of a wallet over time, by block or by day */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "chain": "btc",
                     *       "descriptor": "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs",
                     *       "by": "day",
                     *       "from": "2024-04-20",
                     *       "limit": 100
                     *     }
                     */
                    "application/json": {
                        /** @description An output descriptor with public keys (BIP 380 to 386, 389), or an extended public key */
                        descriptor?: string;
                        /** @description A kept wallet instead of a descriptor; its chain is used */
                        walletId?: string;
                        /**
                         * @default btc
                         * @example btc
                         * @enum {string}
                         */
                        chain?: "btc" | "ltc";
                        /**
                         * @description A branch ends after so many unused addresses; by default that of the kept wallet
                         * @default 20
                         */
                        gapLimit?: number;
                        /**
                         * @default day
                         * @enum {string}
                         */
                        by?: "block" | "day";
                        /** @description The first height, or the first day in UTC; by default the first that has a change */
                        from?: string;
                        /** @default 1000 */
                        limit?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                chain: string;
                                /** @enum {string} */
                                by: "block" | "day";
                                /** @description Oldest first; only blocks or days with a transaction */
                                points: {
                                    /** @description The day in UTC, or the day of the block */
                                    date: string;
                                    /** @description The block after which the balance holds */
                                    height: number;
                                    balance: number;
                                    /** @description Within this block or day */
                                    received: number;
                                    sent: number;
                                    txCount: number;
                                }[];
                                /** @description `from` of the next request; null at the end */
                                next: string | null;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/wallets/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Simulate a payment from a wallet */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "chain": "btc",
                     *       "descriptor": "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs",
                     *       "toAddress": "12c6DSiU4Rq3P4ZxziKxzrL5LmMBrzjrJX",
                     *       "amount": 100000,
                     *       "feeRate": 12
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Destination address; required without recipients
                         * @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
                         */
                        toAddress?: string;
                        /** @description Satoshi that toAddress receives; required with toAddress and without sendAll */
                        amount?: number;
                        /**
                         * @description Recipients in addition to toAddress. Each address can receive one amount
                         * @default []
                         */
                        recipients?: {
                            /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                            address: string;
                            amount: number;
                        }[];
                        /**
                         * @description Spends every coin: toAddress receives what the fee and the recipients leave
                         * @default false
                         */
                        sendAll?: boolean;
                        /**
                         * @description Coins that the payment spends in any case, as txid:vout
                         * @default []
                         */
                        mustUse?: string[];
                        /**
                         * @description Coins that the payment does not spend, as txid:vout
                         * @default []
                         */
                        mustNotUse?: string[];
                        /**
                         * @description Receives the change
                         * @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
                         */
                        changeAddress?: string;
                        /**
                         * @description A height, or a time in seconds since 1970
                         * @default 0
                         */
                        locktime?: number;
                        /**
                         * @description The sequence of every input; the default signals replacement (BIP 125)
                         * @default 4294967293
                         */
                        sequence?: number;
                        /**
                         * @description sat/vB, with up to 3 decimal places
                         * @default 10
                         */
                        feeRate?: number;
                        /** @description Instead of feeRate: the rate for confirmation within so many blocks */
                        confTarget?: number;
                        /**
                         * @default optimal
                         * @enum {string}
                         */
                        utxoSelection?: "optimal" | "largest" | "smallest" | "oldest";
                        /**
                         * @description Adds the result of every strategy
                         * @default false
                         */
                        compareStrategies?: boolean;
                        /**
                         * @description Adds the unsigned transaction for a wallet to sign
                         * @default false
                         */
                        psbt?: boolean;
                        /**
                         * @description Also selects unconfirmed coins
                         * @default false
                         */
                        includeUnconfirmed?: boolean;
                        /**
                         * @description Does not spend coins with inscriptions or runes and outputs of dust attacks: small inspects coins up to 20,000 satoshi (ltc 200,000)
                         * @default small
                         * @enum {string}
                         */
                        protect?: "small" | "all" | "none";
                        /** @description An output descriptor with public keys (BIP 380 to 386, 389), or an extended public key */
                        descriptor?: string;
                        /** @description A kept wallet instead of a descriptor; its chain is used */
                        walletId?: string;
                        /**
                         * @default btc
                         * @example btc
                         * @enum {string}
                         */
                        chain?: "btc" | "ltc";
                        /**
                         * @description A branch ends after so many unused addresses; by default that of the kept wallet
                         * @default 20
                         */
                        gapLimit?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                viable: boolean;
                                /** @description Why the payment cannot be made; null if it can. INPUT_SIZE_ASSUMED with viable: the script of fromAddress is unknown, and the fee is correct only if the assumption is */
                                reason: ("NO_UTXOS" | "INSUFFICIENT_FUNDS" | "FEES_EXCEED" | "AMOUNT_BELOW_DUST" | "TX_TOO_LARGE" | "FEE_BELOW_MIN_RELAY" | "INPUT_SIZE_ASSUMED") | null;
                                /** @description What is missing for amount and fee */
                                shortfall: number;
                                /** @description The algorithm that selected the coins */
                                algorithm: string | null;
                                estimatedFee: number;
                                /** @description Virtual bytes */
                                estimatedSize: number;
                                weight: number;
                                selectedUtxos: {
                                    txid: string;
                                    vout: number;
                                    value: number;
                                }[];
                                inputCount: number;
                                outputCount: number;
                                totalInput: number;
                                totalOutput: number;
                                change: number;
                                /** @description Rounded down to a whole number, or to 3 decimal places if feeRate has decimals */
                                effectiveFeeRate: number;
                                /** @description The waste metric that optimal minimizes; null if the payment cannot be made */
                                waste: number | null;
                                chain: string;
                                /** @description The sum of all recipients */
                                amount: number;
                                recipients: components["schemas"]["PaidRecipient"][];
                                feeRate: number;
                                /** @description The requested target; feeRate is the rate for it */
                                confTarget: number | null;
                                /** @description The fee of the same coins with the smallest and the largest usual script; null if the script is known */
                                feeRange: {
                                    min: number;
                                    max: number;
                                } | null;
                                /** @description The least amount that the first recipient can receive */
                                dustThreshold: number;
                                changeDustThreshold: number;
                                utxoSelection: string;
                                scriptType: string;
                                changeAddress: string | null;
                                locktime: number;
                                sequence: number;
                                longTermFeeRate: number;
                                assumptions: string[];
                                warnings: string[];
                                /** @description Why optimal pays a higher fee than another strategy; null if it does not */
                                higherFeeReason: string | null;
                                /** @description Coins that cannot be selected */
                                excluded: {
                                    immature: number;
                                    unconfirmed: number;
                                    mustNotUse: number;
                                    protected: number;
                                };
                                /** @description Coins that were not selected because of protect */
                                protectedUtxos: {
                                    txid: string;
                                    vout: number;
                                    value: number;
                                    assets: {
                                        /** @enum {string} */
                                        kind: "inscription" | "rune";
                                        /**
                                         * @description Whether an edict or a mint of runes succeeded is not known
                                         * @enum {string}
                                         */
                                        certainty: "certain" | "possible";
                                        /** @description The transaction that shows it */
                                        txid: string;
                                        /** @description The input that revealed an inscription */
                                        input: number | null;
                                        contentType: string | null;
                                    }[];
                                    /** @description Why it looks like an output of a dust attack */
                                    dustAttack: {
                                        /** @enum {string} */
                                        verdict: "possible" | "probable";
                                        reasons: string[];
                                    } | null;
                                }[];
                                tip: {
                                    height: number;
                                    hash: string;
                                };
                                /** @description The result of every strategy, with compareStrategies */
                                strategies?: {
                                    strategy: string;
                                    viable: boolean;
                                    /** @description Why the payment cannot be made; null if it can. INPUT_SIZE_ASSUMED with viable: the script of fromAddress is unknown, and the fee is correct only if the assumption is */
                                    reason: ("NO_UTXOS" | "INSUFFICIENT_FUNDS" | "FEES_EXCEED" | "AMOUNT_BELOW_DUST" | "TX_TOO_LARGE" | "FEE_BELOW_MIN_RELAY" | "INPUT_SIZE_ASSUMED") | null;
                                    /** @description What is missing for amount and fee */
                                    shortfall: number;
                                    /** @description The algorithm that selected the coins */
                                    algorithm: string | null;
                                    estimatedFee: number;
                                    /** @description Virtual bytes */
                                    estimatedSize: number;
                                    weight: number;
                                    selectedUtxos: {
                                        txid: string;
                                        vout: number;
                                        value: number;
                                    }[];
                                    inputCount: number;
                                    outputCount: number;
                                    totalInput: number;
                                    totalOutput: number;
                                    change: number;
                                    /** @description Rounded down to a whole number, or to 3 decimal places if feeRate has decimals */
                                    effectiveFeeRate: number;
                                    /** @description The waste metric that optimal minimizes; null if the payment cannot be made */
                                    waste: number | null;
                                }[];
                                /** @description Unsigned PSBT (BIP 174) in base64, with psbt; null if the payment cannot be made or the input size is assumed */
                                psbt?: string | null;
                                /** @description The same transaction as PSBT version 2 (BIP 370) */
                                psbtV2?: string | null;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/wallets/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Health of the unspent outputs of a wallet */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "chain": "btc",
                     *       "descriptor": "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs"
                     *     }
                     */
                    "application/json": {
                        /** @description An output descriptor with public keys (BIP 380 to 386, 389), or an extended public key */
                        descriptor?: string;
                        /** @description A kept wallet instead of a descriptor; its chain is used */
                        walletId?: string;
                        /**
                         * @default btc
                         * @example btc
                         * @enum {string}
                         */
                        chain?: "btc" | "ltc";
                        /**
                         * @description A branch ends after so many unused addresses; by default that of the kept wallet
                         * @default 20
                         */
                        gapLimit?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                chain: string;
                                score: number;
                                /** @enum {string} */
                                grade: "A" | "B" | "C" | "D" | "F";
                                /** @description Number of the coins that balance sums up */
                                utxoCount: number;
                                /** @description Confirmed coins, also those that an unconfirmed transaction spends */
                                balance: number;
                                /** @description What the unconfirmed transactions add to the balance; can be negative */
                                unconfirmedBalance: number;
                                issues: string[];
                                descriptor: string;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/wallets/analyze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Privacy, dust and consolidation of a wallet */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "chain": "btc",
                     *       "descriptor": "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs"
                     *     }
                     */
                    "application/json": {
                        /** @description An output descriptor with public keys (BIP 380 to 386, 389), or an extended public key */
                        descriptor?: string;
                        /** @description A kept wallet instead of a descriptor; its chain is used */
                        walletId?: string;
                        /**
                         * @default btc
                         * @example btc
                         * @enum {string}
                         */
                        chain?: "btc" | "ltc";
                        /**
                         * @description A branch ends after so many unused addresses; by default that of the kept wallet
                         * @default 20
                         */
                        gapLimit?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["WalletAnalysis"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/wallets/keep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keep a wallet. One that the account keeps already is updated */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "chain": "btc",
                     *       "descriptor": "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs",
                     *       "name": "Cold storage"
                     *     }
                     */
                    "application/json": {
                        /** @description An output descriptor with public keys (BIP 380 to 386, 389), or an extended public key */
                        descriptor: string;
                        /**
                         * @default btc
                         * @example btc
                         * @enum {string}
                         */
                        chain?: "btc" | "ltc";
                        /**
                         * @description A branch ends after so many unused addresses; by default that of the kept wallet
                         * @default 20
                         */
                        gapLimit?: number;
                        name: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["KeptWallet"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/wallets/{walletId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A kept wallet */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example 3c1d7a52-61e4-4c0b-9a3f-0d6a2b7f5e11 */
                    walletId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["KeptWallet"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a kept wallet and its labels */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example 3c1d7a52-61e4-4c0b-9a3f-0d6a2b7f5e11 */
                    walletId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                walletId: string;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/wallets/{walletId}/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The labels of a kept wallet (BIP 329) */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example 3c1d7a52-61e4-4c0b-9a3f-0d6a2b7f5e11 */
                    walletId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                walletId: string;
                                count: number;
                                /** @description A file of labels: one JSON object per line */
                                bip329: string;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        /** Import labels of a kept wallet (BIP 329) */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example 3c1d7a52-61e4-4c0b-9a3f-0d6a2b7f5e11 */
                    walletId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "bip329": "{\"type\":\"tx\",\"ref\":\"4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b\",\"label\":\"Rent\"}"
                     *     }
                     */
                    "application/json": {
                        /** @description A file of labels: one JSON object per line */
                        bip329: string;
                        /**
                         * @description Replaces all labels; otherwise labels are added
                         * @default false
                         */
                        replace?: boolean;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                walletId: string;
                                /** @description Labels of the request */
                                imported: number;
                                /** @description Labels that the wallet has now */
                                count: number;
                                /** @description Lines that are no label */
                                ignoredCount: number;
                                /** @description The first 20 of them */
                                ignored: {
                                    line: number;
                                    reason: string;
                                }[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/analyze/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Analyze many addresses */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "chain": "btc",
                     *       "addresses": [
                     *         "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
                     *         "12c6DSiU4Rq3P4ZxziKxzrL5LmMBrzjrJX"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        addresses: string[];
                        /**
                         * @default btc
                         * @example btc
                         * @enum {string}
                         */
                        chain?: "btc" | "ltc";
                        /** Format: uri */
                        webhookUrl?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["AnalysisBatch"];
                        };
                    };
                };
                /** @description Default Response */
                202: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["AnalysisBatch"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/analyze/batch/{batchId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A batch and its results */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example 9f1c7f6e-3f0b-4a52-8d0e-5b1a4f6c2d10 */
                    batchId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["AnalysisBatch"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Usage of this key. Does not count against the quota */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                plan: string;
                                period: {
                                    /** Format: date-time */
                                    start: string;
                                    /** Format: date-time */
                                    end: string;
                                };
                                usage: {
                                    apiCalls: number;
                                    limit: number;
                                    remaining: number;
                                    percentUsed: number;
                                };
                                limits: {
                                    utxoLimit: number;
                                    batchLimit: number;
                                    syncCalculation: boolean;
                                    walletLimit: number;
                                };
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Requests of the key in a month, or `unlimited` */
                        "X-API-Limit"?: string;
                        /** @description Requests that the key has left in this month, or `unlimited` */
                        "X-API-Remaining"?: string;
                        /** @description When the next month begins (UTC) */
                        "X-API-Reset"?: string;
                        /** @description The plan of the key */
                        "X-API-Plan"?: "basic" | "pro" | "enterprise";
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get request counts, success rate and latency */
        get: {
            parameters: {
                query?: {
                    /** @description `own`: requests of your own keys. `all`: requests of all accounts, for operators only. */
                    scope?: "own" | "all";
                    /** @description Id of a key; only its requests are included */
                    key?: string;
                    /** @description Start of the range, an ISO 8601 instant or date. Default: 24 hours before the end, 30 days in the daily chart. */
                    from?: string;
                    /** @description End of the range, exclusive, an ISO 8601 instant or date. Default: now. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["TrafficOverview"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List usage by endpoint, most requests first */
        get: {
            parameters: {
                query?: {
                    /** @description `own`: requests of your own keys. `all`: requests of all accounts, for operators only. */
                    scope?: "own" | "all";
                    /** @description Id of a key; only its requests are included */
                    key?: string;
                    /** @description Start of the range, an ISO 8601 instant or date. Default: 24 hours before the end, 30 days in the daily chart. */
                    from?: string;
                    /** @description End of the range, exclusive, an ISO 8601 instant or date. Default: now. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["TrafficByEndpoint"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List usage by chain, most requests first */
        get: {
            parameters: {
                query?: {
                    /** @description `own`: requests of your own keys. `all`: requests of all accounts, for operators only. */
                    scope?: "own" | "all";
                    /** @description Id of a key; only its requests are included */
                    key?: string;
                    /** @description Start of the range, an ISO 8601 instant or date. Default: 24 hours before the end, 30 days in the daily chart. */
                    from?: string;
                    /** @description End of the range, exclusive, an ISO 8601 instant or date. Default: now. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["TrafficByChain"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/charts/hourly": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get hourly statistics, at most 31 days */
        get: {
            parameters: {
                query?: {
                    /** @description `own`: requests of your own keys. `all`: requests of all accounts, for operators only. */
                    scope?: "own" | "all";
                    /** @description Id of a key; only its requests are included */
                    key?: string;
                    /** @description Start of the range, an ISO 8601 instant or date. Default: 24 hours before the end, 30 days in the daily chart. */
                    from?: string;
                    /** @description End of the range, exclusive, an ISO 8601 instant or date. Default: now. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["TrafficChart"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/charts/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get daily statistics by UTC day */
        get: {
            parameters: {
                query?: {
                    /** @description `own`: requests of your own keys. `all`: requests of all accounts, for operators only. */
                    scope?: "own" | "all";
                    /** @description Id of a key; only its requests are included */
                    key?: string;
                    /** @description Start of the range, an ISO 8601 instant or date. Default: 24 hours before the end, 30 days in the daily chart. */
                    from?: string;
                    /** @description End of the range, exclusive, an ISO 8601 instant or date. Default: now. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["TrafficChart"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count failed requests by error code and list the latest */
        get: {
            parameters: {
                query?: {
                    /** @description `own`: requests of your own keys. `all`: requests of all accounts, for operators only. */
                    scope?: "own" | "all";
                    /** @description Id of a key; only its requests are included */
                    key?: string;
                    /** @description Start of the range, an ISO 8601 instant or date. Default: 24 hours before the end, 30 days in the daily chart. */
                    from?: string;
                    /** @description End of the range, exclusive, an ISO 8601 instant or date. Default: now. */
                    to?: string;
                    /** @description Number of latest failed requests */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["TrafficErrors"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List single requests, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description `own`: requests of your own keys. `all`: requests of all accounts, for operators only. */
                    scope?: "own" | "all";
                    /** @description Id of a key; only its requests are included */
                    key?: string;
                    /** @description Start of the range, an ISO 8601 instant or date. Default: 24 hours before the end, 30 days in the daily chart. */
                    from?: string;
                    /** @description End of the range, exclusive, an ISO 8601 instant or date. Default: now. */
                    to?: string;
                    /** @description A route as listed by `/endpoints`, such as /api/v2/tx/{txid} */
                    endpoint?: string;
                    /** @description Slug of a chain, such as btc or ethereum */
                    chain?: string;
                    status?: string;
                    /** @description Page number within the first 10,000 entries. Use `cursor` beyond them. */
                    page?: number;
                    pageSize?: number;
                    /** @description `nextCursor` of the previous page. `page` is then ignored. */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["TrafficLogs"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/logs/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export single requests, newest first, as CSV or NDJSON */
        get: {
            parameters: {
                query?: {
                    /** @description `own`: requests of your own keys. `all`: requests of all accounts, for operators only. */
                    scope?: "own" | "all";
                    /** @description Id of a key; only its requests are included */
                    key?: string;
                    /** @description Start of the range, an ISO 8601 instant or date. Default: 24 hours before the end, 30 days in the daily chart. */
                    from?: string;
                    /** @description End of the range, exclusive, an ISO 8601 instant or date. Default: now. */
                    to?: string;
                    /** @description A route as listed by `/endpoints`, such as /api/v2/tx/{txid} */
                    endpoint?: string;
                    /** @description Slug of a chain, such as btc or ethereum */
                    chain?: string;
                    status?: string;
                    /** @description `csv` has one column for each field, with a header line; `ndjson` has one JSON object in each line */
                    format?: "csv" | "ndjson";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All rows. The connection breaks if they cannot be read to the end: a complete response is complete */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                        "application/x-ndjson": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get all statistics in one response */
        get: {
            parameters: {
                query?: {
                    /** @description `own`: requests of your own keys. `all`: requests of all accounts, for operators only. */
                    scope?: "own" | "all";
                    /** @description Id of a key; only its requests are included */
                    key?: string;
                    /** @description Start of the range, an ISO 8601 instant or date. Default: 24 hours before the end, 30 days in the daily chart. */
                    from?: string;
                    /** @description End of the range, exclusive, an ISO 8601 instant or date. Default: now. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["TrafficSummary"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                401: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                403: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AnalyticsError"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/badge/{chain}/{address}.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The control status of a contract as an image */
        get: {
            parameters: {
                query?: {
                    theme?: "light" | "dark";
                };
                header?: never;
                path: {
                    /** @example ethereum */
                    chain: string;
                    /** @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2 */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The badge; gray if the control is not known */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/svg+xml": string;
                    };
                };
                /** @description An image that states the error; JSON only if the path is malformed */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/svg+xml": string;
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description A gray image: too many requests of this network */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "image/svg+xml": string;
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description A gray image: the database is not available */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/svg+xml": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/badge/protocol/{slug}.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The weakest control status of a protocol's contracts, as an image */
        get: {
            parameters: {
                query?: {
                    theme?: "light" | "dark";
                };
                header?: never;
                path: {
                    /** @example aave */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The badge; gray if the control is not known */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/svg+xml": string;
                    };
                };
                /** @description An image that states the error; JSON only if the path is malformed */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/svg+xml": string;
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description A gray image: too many requests of this network */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "image/svg+xml": string;
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description A gray image: the database is not available */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/svg+xml": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/events.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest events that match, as Atom */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain?: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address?: string;
                    /** @description Minimum severity */
                    severity?: "info" | "high" | "critical";
                    /** @description Exact eventKey */
                    key?: string;
                    category?: "upgrade" | "ownership" | "access" | "pause" | "multisig" | "timelock" | "governance" | "token_admin";
                    includeInit?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The 50 newest events */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/atom+xml": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/contracts/{chain}/{address}.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest events of a contract, as Atom */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The 50 newest events */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/atom+xml": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/protocols/{slug}.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest events of a protocol's contracts, as Atom */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Label or slug of a protocol
                     * @example aave
                     */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The 50 newest events */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/atom+xml": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/events.rss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest events that match, as RSS */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain?: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address?: string;
                    /** @description Minimum severity */
                    severity?: "info" | "high" | "critical";
                    /** @description Exact eventKey */
                    key?: string;
                    category?: "upgrade" | "ownership" | "access" | "pause" | "multisig" | "timelock" | "governance" | "token_admin";
                    includeInit?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The 50 newest events */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/rss+xml": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/contracts/{chain}/{address}.rss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest events of a contract, as RSS */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The 50 newest events */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/rss+xml": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/protocols/{slug}.rss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest events of a protocol's contracts, as RSS */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Label or slug of a protocol
                     * @example aave
                     */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The 50 newest events */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/rss+xml": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/control/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Change feed over all chains, newest first */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain?: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address?: string;
                    /** @description Minimum severity */
                    severity?: "info" | "high" | "critical";
                    /** @description Exact eventKey */
                    key?: string;
                    category?: "upgrade" | "ownership" | "access" | "pause" | "multisig" | "timelock" | "governance" | "token_admin";
                    includeInit?: boolean;
                    limit?: number;
                    /** @description nextCursor of the previous page */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Event"][];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/control/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts of watched contracts, and of events in the last 24 hours */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Overview"];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/control/contracts/{chain}/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One contract */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ContractView"];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/control/contracts/{chain}/{address}/control": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Control tree of a contract, and its history */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Control"];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/control/checks/{chain}/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The state of a check, and its result */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ContractCheck"];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        /** Check a contract that is not watched, now */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ContractCheck"];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                409: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/control/addresses/{chain}/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an address can do */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain: string;
                    /**
                     * @description 0x and 40 hexadecimal characters; mixed case must carry a valid EIP-55 checksum
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["AddressView"];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/control/transactions/{chain}/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The control events of a transaction, in the order of its logs */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain: string;
                    /** @example 0xabababababababababababababababababababababababababababababababab */
                    hash: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Event"][];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/control/names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Registered contract names */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["KnownName"][];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/control/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Queued changes, earliest execution first */
        get: {
            parameters: {
                query?: {
                    /**
                     * @description Chain slug or numeric chain id: ethereum (1), arbitrum (42161), base (8453), optimism (10), polygon (137), bnb (56), and further chains of the installation, which /public/about lists
                     * @example ethereum
                     */
                    chain?: string;
                    /**
                     * @description The contract that queues the change, or one that the change affects
                     * @example 0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2
                     */
                    address?: string;
                    /**
                     * @description Label or slug of a protocol
                     * @example aave
                     */
                    protocol?: string;
                    /** @description open: earliest execution first. closed: newest first */
                    state?: "open" | "closed";
                    limit?: number;
                    /** @description nextCursor of the previous page */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["PendingChange"][];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/control/protocols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All protocols */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ListedProtocol"][];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/control/protocols/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A protocol across chains */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Label or slug of a protocol
                     * @example aave
                     */
                    slug: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ProtocolView"];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/control/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Contracts, protocols, accounts, kinds of events and transactions */
        get: {
            parameters: {
                query: {
                    /** @example aave */
                    q: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SearchResults"];
                            /** @description Opaque; null on the last page and on every single object */
                            nextCursor: string | null;
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/control/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Published and retracted events, as server-sent events */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A stream */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": string;
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/coins/{chain}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** State of a chain */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example btc */
                    chain: "btc" | "ltc";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                chain: string;
                                chainName: string;
                                symbol: string;
                                blockHeight: number;
                                difficulty: number;
                                hashrate: string;
                                mempoolSize: number;
                                synced: boolean;
                                source: string;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/coins/{chain}/fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Fee rates */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example btc */
                    chain: "btc" | "ltc";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                low: number;
                                medium: number;
                                high: number;
                                urgent: number;
                                /** @enum {string} */
                                unit: "sat/vB";
                                source: string;
                                mempoolSize: number;
                                /** Format: date-time */
                                timestamp: string;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/coins/{chain}/projected-blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Projected blocks */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example btc */
                    chain: "btc" | "ltc";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["ProjectedBlocks"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/coins/{chain}/address/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Balance and totals of an address */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example btc */
                    chain: "btc" | "ltc";
                    /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                address: string;
                                chain: string;
                                /** @description Confirmed coins, also those that an unconfirmed transaction spends */
                                balance: number;
                                /** @description Decimal with 8 fractional places */
                                balanceFormatted: string;
                                totalReceived: number;
                                totalSent: number;
                                /** @description Confirmed transactions */
                                txCount: number;
                                /** @description What the unconfirmed transactions add to the balance; can be negative */
                                unconfirmedBalance: number;
                                /** @description Unconfirmed transactions; /txs lists them before the confirmed ones */
                                unconfirmedTxCount: number;
                                calculating: boolean;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/coins/{chain}/address/{address}/utxos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Unspent outputs of an address, most valuable first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example btc */
                    chain: "btc" | "ltc";
                    /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                address: string;
                                chain: string;
                                utxos: {
                                    txid: string;
                                    vout: number;
                                    value: number;
                                    /** @description Decimal with 8 fractional places */
                                    valueFormatted: string;
                                    confirmations: number;
                                }[];
                                count: number;
                                limited: boolean;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/coins/{chain}/address/{address}/txs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** History of an address, newest first */
        get: {
            parameters: {
                query?: {
                    page?: number;
                    pageSize?: number;
                    cursor?: string;
                };
                header?: never;
                path: {
                    /** @example btc */
                    chain: "btc" | "ltc";
                    /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                address: string;
                                chain: string;
                                page: number;
                                pageSize: number;
                                totalPages: number;
                                /** @description Unconfirmed and confirmed transactions */
                                totalItems: number;
                                txs: {
                                    txid: string;
                                    blockHash: string | null;
                                    blockHeight: number | null;
                                    confirmations: number;
                                    /** Format: date-time */
                                    timestamp: string;
                                    fee: number;
                                    vsize: number;
                                    received: number;
                                    sent: number;
                                    net: number;
                                    /** @enum {string} */
                                    direction: "in" | "out" | "self";
                                    inputs: ({
                                        /** @enum {boolean} */
                                        isCoinbase: true;
                                    } | {
                                        /** @enum {boolean} */
                                        isCoinbase: false;
                                        txid: string;
                                        vout: number;
                                        sequence: number;
                                        address: string | null;
                                        value: number;
                                        /** @description Decimal with 8 fractional places */
                                        valueFormatted: string;
                                        scriptType: string;
                                        witness?: string[];
                                    })[];
                                    outputs: {
                                        n: number;
                                        value: number;
                                        /** @description Decimal with 8 fractional places */
                                        valueFormatted: string;
                                        address: string | null;
                                    }[];
                                }[];
                                nextCursor: string | null;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/coins/{chain}/tx/{txid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A transaction */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example btc */
                    chain: "btc" | "ltc";
                    /** @example 4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b */
                    txid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                txid: string;
                                /** @description The wtxid */
                                hash: string;
                                version: number;
                                size: number;
                                vsize: number;
                                weight: number;
                                locktime: number;
                                blockHash: string | null;
                                blockHeight: number | null;
                                confirmations: number;
                                fee: number;
                                inputs: ({
                                    /** @enum {boolean} */
                                    isCoinbase: true;
                                } | {
                                    /** @enum {boolean} */
                                    isCoinbase: false;
                                    txid: string;
                                    vout: number;
                                    sequence: number;
                                    address: string | null;
                                    value: number;
                                    /** @description Decimal with 8 fractional places */
                                    valueFormatted: string;
                                    scriptType: string;
                                    witness?: string[];
                                })[];
                                outputs: {
                                    n: number;
                                    value: number;
                                    /** @description Decimal with 8 fractional places */
                                    valueFormatted: string;
                                    address: string | null;
                                }[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/coins/{chain}/block/{hashOrHeight}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A block */
        get: {
            parameters: {
                query?: {
                    txids?: boolean;
                };
                header?: never;
                path: {
                    /** @example btc */
                    chain: "btc" | "ltc";
                    /** @example 0 */
                    hashOrHeight: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                hash: string;
                                height: number;
                                confirmations: number;
                                version: number;
                                merkleRoot: string;
                                /** Format: date-time */
                                timestamp: string;
                                /** Format: date-time */
                                medianTime: string;
                                nonce: number;
                                bits: string;
                                difficulty: number;
                                size: number;
                                weight: number;
                                strippedSize: number;
                                txCount: number;
                                previousBlockHash: string | null;
                                nextBlockHash: string | null;
                                /** @description What the coinbase transaction pays; a miner may claim less than subsidy and fees */
                                reward: number;
                                /** @description New coins that the block may create */
                                subsidy: number;
                                totalFees: number;
                                feeRates: {
                                    p10: number;
                                    p25: number;
                                    p50: number;
                                    p75: number;
                                    p90: number;
                                };
                                mweb?: {
                                    hogexTxid: string;
                                    amount: number;
                                };
                                txids?: string[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                404: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/coins/{chain}/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Blocks with their fee rates, newest first */
        get: {
            parameters: {
                query?: {
                    to?: number;
                    count?: number;
                };
                header?: never;
                path: {
                    /** @example btc */
                    chain: "btc" | "ltc";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                chain: string;
                                /** @description Height of the newest block of the chain */
                                tip: number;
                                /** @description Newest first */
                                blocks: {
                                    hash: string;
                                    height: number;
                                    /** Format: date-time */
                                    timestamp: string;
                                    size: number;
                                    weight: number;
                                    txCount: number;
                                    totalFees: number;
                                    feeRates: {
                                        p10: number;
                                        p25: number;
                                        p50: number;
                                        p75: number;
                                        p90: number;
                                    };
                                }[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/coins/{chain}/health/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health of the unspent outputs of an address */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example btc */
                    chain: "btc" | "ltc";
                    /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                address: string;
                                chain: string;
                                score: number;
                                /** @enum {string} */
                                grade: "A" | "B" | "C" | "D" | "F";
                                /** @description Number of the coins that balance sums up */
                                utxoCount: number;
                                /** @description Confirmed coins, also those that an unconfirmed transaction spends */
                                balance: number;
                                /** @description What the unconfirmed transactions add to the balance; can be negative */
                                unconfirmedBalance: number;
                                issues: string[];
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/coins/{chain}/analyze/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Privacy, dust and consolidation of an address */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example btc */
                    chain: "btc" | "ltc";
                    /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: components["schemas"]["Analysis"];
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/coins/{chain}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Simulate a payment */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @example btc */
                    chain: "btc" | "ltc";
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "fromAddress": "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
                     *       "toAddress": "12c6DSiU4Rq3P4ZxziKxzrL5LmMBrzjrJX",
                     *       "amount": 100000,
                     *       "feeRate": 12
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Destination address; required without recipients
                         * @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
                         */
                        toAddress?: string;
                        /** @description Satoshi that toAddress receives; required with toAddress and without sendAll */
                        amount?: number;
                        /**
                         * @description Recipients in addition to toAddress. Each address can receive one amount
                         * @default []
                         */
                        recipients?: {
                            /** @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa */
                            address: string;
                            amount: number;
                        }[];
                        /**
                         * @description Spends every coin: toAddress receives what the fee and the recipients leave
                         * @default false
                         */
                        sendAll?: boolean;
                        /**
                         * @description Coins that the payment spends in any case, as txid:vout
                         * @default []
                         */
                        mustUse?: string[];
                        /**
                         * @description Coins that the payment does not spend, as txid:vout
                         * @default []
                         */
                        mustNotUse?: string[];
                        /**
                         * @description Receives the change
                         * @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
                         */
                        changeAddress?: string;
                        /**
                         * @description A height, or a time in seconds since 1970
                         * @default 0
                         */
                        locktime?: number;
                        /**
                         * @description The sequence of every input; the default signals replacement (BIP 125)
                         * @default 4294967293
                         */
                        sequence?: number;
                        /**
                         * @description sat/vB, with up to 3 decimal places
                         * @default 10
                         */
                        feeRate?: number;
                        /** @description Instead of feeRate: the rate for confirmation within so many blocks */
                        confTarget?: number;
                        /**
                         * @default optimal
                         * @enum {string}
                         */
                        utxoSelection?: "optimal" | "largest" | "smallest" | "oldest";
                        /**
                         * @description Adds the result of every strategy
                         * @default false
                         */
                        compareStrategies?: boolean;
                        /**
                         * @description Adds the unsigned transaction for a wallet to sign
                         * @default false
                         */
                        psbt?: boolean;
                        /**
                         * @description Also selects unconfirmed coins
                         * @default false
                         */
                        includeUnconfirmed?: boolean;
                        /**
                         * @description Does not spend coins with inscriptions or runes and outputs of dust attacks: small inspects coins up to 20,000 satoshi (ltc 200,000)
                         * @default small
                         * @enum {string}
                         */
                        protect?: "small" | "all" | "none";
                        /**
                         * @description Source address
                         * @example 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
                         */
                        fromAddress: string;
                        /** @description How fromAddress is spent, for an address that has not spent yet: p2pkh, p2pkh-uncompressed, p2sh-p2wpkh, p2sh-2of3, p2sh-p2wsh-2of3, p2wsh-2of3, p2wpkh, p2tr */
                        inputType?: string;
                        /** @description The script of a P2SH fromAddress, in hexadecimal */
                        redeemScript?: string;
                        /** @description The witness script of fromAddress, in hexadecimal */
                        witnessScript?: string;
                        /** @description The output descriptor of fromAddress; its keys are only counted */
                        descriptor?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            data: {
                                viable: boolean;
                                /** @description Why the payment cannot be made; null if it can. INPUT_SIZE_ASSUMED with viable: the script of fromAddress is unknown, and the fee is correct only if the assumption is */
                                reason: ("NO_UTXOS" | "INSUFFICIENT_FUNDS" | "FEES_EXCEED" | "AMOUNT_BELOW_DUST" | "TX_TOO_LARGE" | "FEE_BELOW_MIN_RELAY" | "INPUT_SIZE_ASSUMED") | null;
                                /** @description What is missing for amount and fee */
                                shortfall: number;
                                /** @description The algorithm that selected the coins */
                                algorithm: string | null;
                                estimatedFee: number;
                                /** @description Virtual bytes */
                                estimatedSize: number;
                                weight: number;
                                selectedUtxos: {
                                    txid: string;
                                    vout: number;
                                    value: number;
                                }[];
                                inputCount: number;
                                outputCount: number;
                                totalInput: number;
                                totalOutput: number;
                                change: number;
                                /** @description Rounded down to a whole number, or to 3 decimal places if feeRate has decimals */
                                effectiveFeeRate: number;
                                /** @description The waste metric that optimal minimizes; null if the payment cannot be made */
                                waste: number | null;
                                chain: string;
                                /** @description The sum of all recipients */
                                amount: number;
                                recipients: components["schemas"]["PaidRecipient"][];
                                feeRate: number;
                                /** @description The requested target; feeRate is the rate for it */
                                confTarget: number | null;
                                /** @description The fee of the same coins with the smallest and the largest usual script; null if the script is known */
                                feeRange: {
                                    min: number;
                                    max: number;
                                } | null;
                                /** @description The least amount that the first recipient can receive */
                                dustThreshold: number;
                                changeDustThreshold: number;
                                utxoSelection: string;
                                scriptType: string;
                                changeAddress: string | null;
                                locktime: number;
                                sequence: number;
                                longTermFeeRate: number;
                                assumptions: string[];
                                warnings: string[];
                                /** @description Why optimal pays a higher fee than another strategy; null if it does not */
                                higherFeeReason: string | null;
                                /** @description Coins that cannot be selected */
                                excluded: {
                                    immature: number;
                                    unconfirmed: number;
                                    mustNotUse: number;
                                    protected: number;
                                };
                                /** @description Coins that were not selected because of protect */
                                protectedUtxos: {
                                    txid: string;
                                    vout: number;
                                    value: number;
                                    assets: {
                                        /** @enum {string} */
                                        kind: "inscription" | "rune";
                                        /**
                                         * @description Whether an edict or a mint of runes succeeded is not known
                                         * @enum {string}
                                         */
                                        certainty: "certain" | "possible";
                                        /** @description The transaction that shows it */
                                        txid: string;
                                        /** @description The input that revealed an inscription */
                                        input: number | null;
                                        contentType: string | null;
                                    }[];
                                    /** @description Why it looks like an output of a dust attack */
                                    dustAttack: {
                                        /** @enum {string} */
                                        verdict: "possible" | "probable";
                                        reasons: string[];
                                    } | null;
                                }[];
                                tip: {
                                    height: number;
                                    hash: string;
                                };
                                /** @description The result of every strategy, with compareStrategies */
                                strategies?: {
                                    strategy: string;
                                    viable: boolean;
                                    /** @description Why the payment cannot be made; null if it can. INPUT_SIZE_ASSUMED with viable: the script of fromAddress is unknown, and the fee is correct only if the assumption is */
                                    reason: ("NO_UTXOS" | "INSUFFICIENT_FUNDS" | "FEES_EXCEED" | "AMOUNT_BELOW_DUST" | "TX_TOO_LARGE" | "FEE_BELOW_MIN_RELAY" | "INPUT_SIZE_ASSUMED") | null;
                                    /** @description What is missing for amount and fee */
                                    shortfall: number;
                                    /** @description The algorithm that selected the coins */
                                    algorithm: string | null;
                                    estimatedFee: number;
                                    /** @description Virtual bytes */
                                    estimatedSize: number;
                                    weight: number;
                                    selectedUtxos: {
                                        txid: string;
                                        vout: number;
                                        value: number;
                                    }[];
                                    inputCount: number;
                                    outputCount: number;
                                    totalInput: number;
                                    totalOutput: number;
                                    change: number;
                                    /** @description Rounded down to a whole number, or to 3 decimal places if feeRate has decimals */
                                    effectiveFeeRate: number;
                                    /** @description The waste metric that optimal minimizes; null if the payment cannot be made */
                                    waste: number | null;
                                }[];
                                /** @description Unsigned PSBT (BIP 174) in base64, with psbt; null if the payment cannot be made or the input size is assumed */
                                psbt?: string | null;
                                /** @description The same transaction as PSBT version 2 (BIP 370) */
                                psbtV2?: string | null;
                            };
                        };
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                413: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                415: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                429: {
                    headers: {
                        /** @description Seconds to wait */
                        "Retry-After"?: number;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V2Error"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/about": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the features of this installation */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["About"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare the plans */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Plans"];
                    };
                };
                /** @description Default Response */
                400: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                414: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
                /** @description Default Response */
                500: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["V1Error"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        PendingCallInput: {
            /** @description 0x and 40 lower-case hexadecimal characters */
            target: string;
            /** @description What the call does */
            text: string;
            /** @description Null for a transfer without a function call */
            selector: string | null;
            /** @description Null if the function is not known by its selector */
            signature: string | null;
            /** @description Null if they could not be decoded; long ones are cut */
            args: unknown[] | null;
            /** @description Native coins it sends, in wei; known for transactions of Safes and calls inside calls */
            value: string;
            /** @description Whether the function changes the controller of a contract or its code */
            isControl: boolean;
            /** @description A delegatecall: the target runs with all rights of the caller */
            isDelegated: boolean;
            /** @description False if not all calls inside this call could be decoded */
            isComplete: boolean;
            /** @description Calls inside this call, as far as its arguments contain them */
            calls: components["schemas"]["PendingCallInput"][];
        };
        ControlNodeInput: {
            chainId: number;
            address: string;
            /** @description What the account is to the account it controls */
            role: string;
            kind: string;
            text: string;
            /** @enum {string} */
            label: "immutable" | "timelocked" | "short_timelock" | "multisig" | "unknown" | "single_key" | "circular";
            /** @description Signatures a multisig needs */
            threshold: number | null;
            /** @description Number of owners of a multisig */
            owners: number | null;
            /** @description Seconds that every change on this path must wait, up to and including this account */
            delaySeconds: number;
            /** @description The label of the account in words; a vote is named where a vote decides */
            labelText: string;
            /** @description How much the signatures of a multisig are worth; null for other accounts */
            multisig: {
                threshold: number;
                signers: number;
                /** @description Distinct keys that can sign, through nested multisigs; null if it can never sign or is not judged */
                keysNeeded: number | null;
                /** @description Fewer than half of the signers suffice */
                isBelowHalf: boolean;
                /** @description Signers that are contracts and not multisigs */
                contractSigners: string[];
                /** @description Signers that never sent a transaction on this chain */
                unusedSigners: string[];
                /** @description Signers that sign for several watched multisigs */
                sharedSigners: {
                    address: string;
                    /** @description Watched multisigs it signs for */
                    multisigs: number;
                    /** @description These multisigs, at most 20 */
                    signsFor: {
                        chainId: number;
                        chainSlug: string;
                        address: string;
                        name: string | null;
                    }[];
                }[];
            } | null;
            notes: string[];
            /** @description Owners of a multisig */
            signers: {
                address: string;
                text: string;
            }[];
            paths: components["schemas"]["ControlNodeInput"][];
        };
        V1Error: {
            error: {
                code: string;
                message: string;
                details?: {
                    [key: string]: unknown;
                };
            };
        };
        Event: {
            id: number;
            chainId: number;
            chainSlug: string;
            blockNumber: number;
            /** Format: date-time */
            blockTime: string;
            txHash: string;
            logIndex: number;
            /** @description The emitting contract */
            address: string;
            eventKey: string;
            /** @enum {string} */
            category: "upgrade" | "ownership" | "access" | "pause" | "multisig" | "timelock" | "governance" | "token_admin";
            /** @enum {string} */
            severity: "info" | "high" | "critical";
            args: {
                [key: string]: unknown;
            };
            /** @description True for deployment-time events */
            isInit: boolean;
            contract: {
                name: string | null;
                protocol: string | null;
                kind: string | null;
            };
        };
        FeedEvent: {
            id: number;
            chainId: number;
            chainSlug: string;
            blockNumber: number;
            /** Format: date-time */
            blockTime: string;
            txHash: string;
            logIndex: number;
            /** @description The emitting contract */
            address: string;
            eventKey: string;
            /** @enum {string} */
            category: "upgrade" | "ownership" | "access" | "pause" | "multisig" | "timelock" | "governance" | "token_admin";
            /** @enum {string} */
            severity: "info" | "high" | "critical";
            args: {
                [key: string]: unknown;
            };
            /** @description True for deployment-time events */
            isInit: boolean;
            contract: {
                name: string | null;
                protocol: string | null;
                kind: string | null;
            };
            /** @description Only with after: true if a reorg removed the event, false if it was published */
            retracted?: boolean;
        };
        ControlProfile: {
            /** @enum {string} */
            label: "immutable" | "single_key" | "multisig" | "timelocked" | "short_timelock" | "unknown";
            /** @description The label as a text to show */
            text: string;
            /**
             * @description The worst of the label and the powers
             * @enum {string}
             */
            tone: "green" | "red" | "amber" | "grey";
            reasons: string[];
        };
        Power: {
            /** @enum {string} */
            effect: "upgrade" | "execute" | "mint" | "move_funds" | "set_price" | "set_verifier" | "grant" | "set_dependency" | "freeze" | "pause" | "set_terms" | "other";
            /** @enum {string} */
            class: "critical" | "high" | "info";
            functions: {
                selector: string;
                /** @description Null if the function is not known by its selector */
                signature: string | null;
                /**
                 * @description How its effect was recognized
                 * @enum {string}
                 */
                evidence: "code" | "trial" | "name";
            }[];
            /** @description Accounts that pass the guard of one of the functions */
            holders: {
                chainId: number;
                /** @description 0x and 40 lower-case hexadecimal characters */
                address: string;
                kind: string;
                role: string;
                /** @enum {string} */
                label: "immutable" | "timelocked" | "short_timelock" | "multisig" | "unknown" | "single_key";
                /** @description The label in words; a vote is named where a vote decides */
                labelText: string;
                /** @description Seconds that every use of the power by this account must wait */
                delaySeconds: number;
                /** @description Signatures a multisig needs */
                threshold: number | null;
                /** @description Number of owners of a multisig */
                owners: number | null;
            }[];
            /**
             * @description That of the weakest holder; immutable if no account passes the guard
             * @enum {string}
             */
            label: "immutable" | "timelocked" | "short_timelock" | "multisig" | "unknown" | "single_key";
            delaySeconds: number;
            /** @description Whether a simulated call from a new account succeeded, although the code shows a guard */
            isOpen: boolean;
            /** @description Why there may be other holders; null if all are known */
            unknown: string | null;
            summary: string;
            /** @description In a few words, as the badge states it: One key can mint */
            shortSummary: string;
        };
        PendingCall: {
            /** @description 0x and 40 lower-case hexadecimal characters */
            target: string;
            /** @description What the call does */
            text: string;
            /** @description Null for a transfer without a function call */
            selector: string | null;
            /** @description Null if the function is not known by its selector */
            signature: string | null;
            /** @description Null if they could not be decoded; long ones are cut */
            args: unknown[] | null;
            /** @description Native coins it sends, in wei; known for transactions of Safes and calls inside calls */
            value: string;
            /** @description Whether the function changes the controller of a contract or its code */
            isControl: boolean;
            /** @description A delegatecall: the target runs with all rights of the caller */
            isDelegated: boolean;
            /** @description False if not all calls inside this call could be decoded */
            isComplete: boolean;
            /** @description Calls inside this call, as far as its arguments contain them */
            calls: components["schemas"]["PendingCall"][];
        };
        PendingChange: {
            id: number;
            chainId: number;
            chainSlug: string;
            /** @description The timelock, governor, module or Safe that queues the change */
            address: string;
            contract: {
                name: string | null;
                protocol: string | null;
                kind: string | null;
            };
            /** @enum {string} */
            family: "oz_timelock" | "solady_timelock" | "compound_timelock" | "aave_executor" | "aave_governance" | "aave_payloads" | "access_manager" | "zodiac_delay" | "axelar_governance" | "maker_pause" | "morpho_vault" | "governor" | "lido_governance" | "zksync_governance" | "safe";
            /** @description The id of the change in its contract; the EIP-712 hash of a Safe transaction */
            operation: string;
            /**
             * @description proposed: a vote comes first. queued: it waits for earliestAt, or for signatures. ready: it can be executed. failed: a Safe executed it, and its call reverted. replaced: a Safe executed another transaction with its nonce
             * @enum {string}
             */
            state: "proposed" | "queued" | "ready" | "executed" | "failed" | "canceled" | "replaced" | "expired" | "defeated";
            /**
             * @description The highest of the events that queued it
             * @enum {string}
             */
            severity: "info" | "high" | "critical";
            /** @description What it will do */
            summary: string;
            /** @description At most 100 */
            calls: components["schemas"]["PendingCall"][];
            callCount: number;
            /** Format: date-time */
            queuedAt: string;
            /** @description The account that queued it; null if it is not known */
            queuedBy: string | null;
            queuedBlock: number | null;
            queuedTxHash: string | null;
            /** @description Before this it cannot be executed; null if it is not known */
            earliestAt: string | null;
            /** @description After this it can no longer be executed; null if it does not expire */
            expiresAt: string | null;
            closedAt: string | null;
            closedTxHash: string | null;
            /** @description The signatures of a Safe transaction; null for other changes */
            confirmations: {
                required: number;
                /** @description Owners whose signatures were verified */
                owners: string[];
                /** @description The other owners */
                missing: string[];
                /** @description The Safe executes one of the transactions with the same nonce */
                nonce: number | null;
            } | null;
            /** @description The operations in timelocks that a proposal queued. They are not listed again */
            queuedIn: {
                /** @description 0x and 40 lower-case hexadecimal characters */
                address: string;
                name: string | null;
                /** @enum {string} */
                family: "oz_timelock" | "solady_timelock" | "compound_timelock" | "aave_executor" | "aave_governance" | "aave_payloads" | "access_manager" | "zodiac_delay" | "axelar_governance" | "maker_pause" | "morpho_vault" | "governor" | "lido_governance" | "zksync_governance" | "safe";
                operation: string;
            }[];
            /** @description What affected contracts would be if it were executed at this block, by a simulation. The state can differ when it is executed. Null: not simulated */
            after: {
                /** Format: date-time */
                simulatedAt: string;
                block: number;
                problem: ("reverts" | "roles" | "unknown_calls" | "unavailable") | null;
                /** @description Why there is no result */
                reason: string | null;
                /** @description At most three of the affected contracts */
                contracts: {
                    /** @description 0x and 40 lower-case hexadecimal characters */
                    address: string;
                    /** @enum {string} */
                    label: "immutable" | "timelocked" | "short_timelock" | "multisig" | "unknown" | "single_key";
                    /** @enum {string} */
                    tone: "green" | "amber" | "red" | "grey";
                    /** @enum {string} */
                    previousLabel: "immutable" | "timelocked" | "short_timelock" | "multisig" | "unknown" | "single_key";
                    /** @enum {string} */
                    previousTone: "green" | "amber" | "red" | "grey";
                    /** @description Effects that other accounts could have then */
                    gainedPowers: string[];
                    lostPowers: string[];
                }[];
            } | null;
            /** @description Addresses whose code is checked until the execution, at most 50 */
            targets: {
                /** @description 0x and 40 lower-case hexadecimal characters */
                address: string;
                name: string | null;
                /** @description False for an address that only occurs in arguments, such as new code */
                isAffected: boolean;
                /** @description Keccak-256 of its code when the change was queued */
                codeHash: string | null;
                /** @description The code that a proxy ran when the change was queued */
                implementation: string | null;
                /** @description Whether its code changed since then */
                hasChanged: boolean;
            }[];
        };
        AddressView: {
            chain: {
                id: number;
                slug: string;
            };
            /** @description 0x and 40 lower-case hexadecimal characters */
            address: string;
            /** @description Most harmful first; empty if the address has no power over a watched contract */
            powers: {
                /** @enum {string} */
                effect: "upgrade" | "execute" | "mint" | "move_funds" | "set_price" | "set_verifier" | "grant" | "set_dependency" | "freeze" | "pause" | "set_terms" | "other";
                /** @enum {string} */
                class: "critical" | "high" | "info";
                contracts: {
                    chainId: number;
                    chainSlug: string;
                    /** @description 0x and 40 lower-case hexadecimal characters */
                    address: string;
                    name: string | null;
                    protocol: string | null;
                    /** @description What the last account on the path is to the contract */
                    role: string;
                    /** @description Accounts that the address acts through, from it to the contract; empty if it acts itself */
                    through: string[];
                    /** @description The largest number of signatures that a multisig on the path needs */
                    signaturesNeeded: number;
                    /** @description Seconds that every use of the power must wait */
                    delaySeconds: number;
                }[];
            }[];
            /** @description False if the address has more powers than are returned */
            isComplete: boolean;
        };
        ContractView: {
            chain: {
                id: number;
                slug: string;
            };
            /** @description 0x and 40 lower-case hexadecimal characters */
            address: string;
            contract: {
                id: number;
                kind: string;
                name: string | null;
                protocol: string | null;
                implementation: string | null;
                admin: string | null;
                owner: string | null;
                verified: boolean;
                source: string;
                metadata: {
                    [key: string]: unknown;
                };
                /** Format: date-time */
                firstSeenAt: string;
                lastCheckedAt: string | null;
            } | null;
            latestSnapshot: {
                implementation: string | null;
                admin: string | null;
                owner: string | null;
                beacon: string | null;
                adminIsContract: boolean | null;
                ownerIsContract: boolean | null;
                extra: {
                    safeThreshold: number | null;
                    minDelay: number | null;
                    blockNumber: number;
                };
                /** Format: date-time */
                takenAt: string;
            } | null;
            counts: {
                eventKey: string;
                total: number;
                real: number;
                init: number;
            }[];
            recentEvents: components["schemas"]["Event"][];
            controlProfile: components["schemas"]["ControlProfile"];
            /** @description What privileged callers can do, most harmful first; null if it was not analyzed */
            powers: components["schemas"]["Power"][] | null;
            /** @description Queued changes of the contract, earliest first, at most 20 */
            pending: components["schemas"]["PendingChange"][];
        };
        ProtocolView: {
            protocol: string;
            slug: string;
            contracts: {
                chainId: number;
                chainSlug: string;
                /** @description 0x and 40 lower-case hexadecimal characters */
                address: string;
                name: string | null;
                protocol: string;
                kind: string;
                verified: boolean;
                source: string;
                events30d: number;
                critical30d: number;
                lastEventAt: string | null;
                lastEventKey: string | null;
                controlProfile: components["schemas"]["ControlProfile"];
            }[];
            recentEvents: components["schemas"]["Event"][];
            counts: {
                contracts: number;
                chains: number;
                events30d: number;
                critical30d: number;
            };
            controlSummary: {
                total: number;
                singleKey: number;
                multisig: number;
                shortTimelock: number;
                timelocked: number;
                immutable: number;
                unknown: number;
            };
            /** @description Queued changes of its contracts, earliest first, at most 20 */
            pending: components["schemas"]["PendingChange"][];
        };
        ControlNode: {
            chainId: number;
            address: string;
            /** @description What the account is to the account it controls */
            role: string;
            kind: string;
            text: string;
            /** @enum {string} */
            label: "immutable" | "timelocked" | "short_timelock" | "multisig" | "unknown" | "single_key" | "circular";
            /** @description Signatures a multisig needs */
            threshold: number | null;
            /** @description Number of owners of a multisig */
            owners: number | null;
            /** @description Seconds that every change on this path must wait, up to and including this account */
            delaySeconds: number;
            /** @description The label of the account in words; a vote is named where a vote decides */
            labelText: string;
            /** @description How much the signatures of a multisig are worth; null for other accounts */
            multisig: {
                threshold: number;
                signers: number;
                /** @description Distinct keys that can sign, through nested multisigs; null if it can never sign or is not judged */
                keysNeeded: number | null;
                /** @description Fewer than half of the signers suffice */
                isBelowHalf: boolean;
                /** @description Signers that are contracts and not multisigs */
                contractSigners: string[];
                /** @description Signers that never sent a transaction on this chain */
                unusedSigners: string[];
                /** @description Signers that sign for several watched multisigs */
                sharedSigners: {
                    address: string;
                    /** @description Watched multisigs it signs for */
                    multisigs: number;
                    /** @description These multisigs, at most 20 */
                    signsFor: {
                        chainId: number;
                        chainSlug: string;
                        address: string;
                        name: string | null;
                    }[];
                }[];
            } | null;
            notes: string[];
            /** @description Owners of a multisig */
            signers: {
                address: string;
                text: string;
            }[];
            paths: components["schemas"]["ControlNode"][];
        };
        Upgrade: {
            /**
             * Format: date-time
             * @description When the poll found it
             */
            at: string;
            blockNumber: number;
            /** @description One sentence for each kind of change, most harmful first */
            summary: string[];
            functionsAdded: {
                selector: string;
                /** @description Null if it is not in the table of published packages */
                signature: string | null;
                /** @description Who may call it */
                access: string;
            }[];
            functionsRemoved: {
                selector: string;
                /** @description Null if it is not in the table of published packages */
                signature: string | null;
                /** @description Who may call it */
                access: string;
            }[];
            guardsChanged: {
                selector: string;
                /** @description Null if it is not in the table of published packages */
                signature: string | null;
                /** @description Who may call it */
                access: string;
                previousAccess: string;
            }[];
            powersGained: {
                /** @enum {string} */
                effect: "upgrade" | "execute" | "mint" | "move_funds" | "set_price" | "set_verifier" | "grant" | "set_dependency" | "freeze" | "pause" | "set_terms" | "other";
                /** @enum {string} */
                class: "critical" | "high" | "info";
                /** @enum {string} */
                label: "immutable" | "timelocked" | "short_timelock" | "multisig" | "unknown" | "single_key";
            }[];
            powersLost: {
                /** @enum {string} */
                effect: "upgrade" | "execute" | "mint" | "move_funds" | "set_price" | "set_verifier" | "grant" | "set_dependency" | "freeze" | "pause" | "set_terms" | "other";
                /** @enum {string} */
                class: "critical" | "high" | "info";
                /** @enum {string} */
                label: "immutable" | "timelocked" | "short_timelock" | "multisig" | "unknown" | "single_key";
            }[];
            powersWeakened: {
                /** @enum {string} */
                effect: "upgrade" | "execute" | "mint" | "move_funds" | "set_price" | "set_verifier" | "grant" | "set_dependency" | "freeze" | "pause" | "set_terms" | "other";
                /** @enum {string} */
                class: "critical" | "high" | "info";
                /** @enum {string} */
                label: "immutable" | "timelocked" | "short_timelock" | "multisig" | "unknown" | "single_key";
                /** @enum {string} */
                previousLabel: "immutable" | "timelocked" | "short_timelock" | "multisig" | "unknown" | "single_key";
            }[];
            /** @description Functions that set up the contract and that a simulated unprivileged caller could call */
            openInitializers: {
                selector: string;
                /** @description Null if it is not in the table of published packages */
                signature: string | null;
                /** @description Who may call it */
                access: string;
            }[];
            /** @description False if a list was cut */
            isComplete: boolean;
        };
        ContractCheck: {
            chain: {
                id: number;
                slug: string;
            };
            address: string;
            /** @enum {string} */
            state: "waiting" | "done" | "failed";
            /** Format: date-time */
            requestedAt: string;
            checkedAt: string | null;
            /** @description Why the contract could not be checked */
            failure: string | null;
            /** @description Null until the check is done, and where there is no contract */
            control: {
                profile: components["schemas"]["ControlProfile"];
                powers: components["schemas"]["Power"][] | null;
                /** @description The last poll could not read everything */
                stale: boolean;
                kind: string;
                blockNumber: number;
                tree: components["schemas"]["ControlNode"];
                /** @description Holders of powers other than to upgrade, with the accounts behind them */
                powerPaths: {
                    effects: ("upgrade" | "execute" | "mint" | "move_funds" | "set_price" | "set_verifier" | "grant" | "set_dependency" | "freeze" | "pause" | "set_terms" | "other")[];
                    node: components["schemas"]["ControlNode"];
                }[];
            } | null;
        };
        Control: {
            profile: components["schemas"]["ControlProfile"];
            powers: components["schemas"]["Power"][] | null;
            /** @description The last poll could not read everything */
            stale: boolean;
            kind: string;
            blockNumber: number;
            tree: components["schemas"]["ControlNode"];
            /** @description Holders of powers other than to upgrade, with the accounts behind them */
            powerPaths: {
                effects: ("upgrade" | "execute" | "mint" | "move_funds" | "set_price" | "set_verifier" | "grant" | "set_dependency" | "freeze" | "pause" | "set_terms" | "other")[];
                node: components["schemas"]["ControlNode"];
            }[];
            /** Format: date-time */
            updatedAt: string;
            /** @description Fields for which two RPC endpoints have returned different values for ten minutes or longer */
            disagreements: {
                field: string;
                /** Format: date-time */
                since: string;
                /** @description One per endpoint; null if the contract has none */
                values: (string | null)[];
            }[];
            /** @description What each change of the running code altered, newest first */
            upgrades: components["schemas"]["Upgrade"][];
            labels: {
                /** Format: date-time */
                at: string;
                blockNumber: number;
                from: ("immutable" | "timelocked" | "short_timelock" | "multisig" | "unknown" | "single_key") | null;
                /** @description The label in words, as it was shown */
                fromText: string | null;
                fromTone: ("green" | "red" | "amber" | "grey") | null;
                /** @enum {string} */
                to: "immutable" | "timelocked" | "short_timelock" | "multisig" | "unknown" | "single_key";
                /** @description The label in words, as it was shown */
                toText: string;
                /** @enum {string} */
                toTone: "green" | "red" | "amber" | "grey";
                cause: {
                    [key: string]: unknown;
                }[];
            }[];
            states: {
                /** Format: date-time */
                takenAt: string;
                blockNumber: number;
                /** Format: date-time */
                polledAt: string;
                polledBlock: number;
                fields: {
                    [key: string]: string | null;
                };
            }[];
        };
        ListedProtocol: {
            protocol: string;
            slug: string;
            contracts: number;
            chains: number;
            lastEventAt: string | null;
            summary: {
                total: number;
                singleKey: number;
                multisig: number;
                shortTimelock: number;
                timelocked: number;
                immutable: number;
                unknown: number;
            };
            /** @description Contracts by tone: the worst of label and powers */
            tones: {
                green: number;
                grey: number;
                amber: number;
                red: number;
            };
        };
        Overview: {
            contracts: number;
            summary: {
                total: number;
                singleKey: number;
                multisig: number;
                shortTimelock: number;
                timelocked: number;
                immutable: number;
                unknown: number;
            };
            /** @description Contracts by tone: the worst of label and powers */
            tones: {
                green: number;
                grey: number;
                amber: number;
                red: number;
            };
            events24h: {
                info: number;
                high: number;
                critical: number;
            };
        };
        Subscription: {
            id: number;
            chainId: number;
            chainSlug: string;
            /** @description 0x and 40 lower-case hexadecimal characters */
            address: string;
            source: string;
            /** @enum {string} */
            minSeverity: "info" | "high" | "critical";
            channels: {
                telegram: boolean;
                email: boolean;
                webhook: boolean;
                slack: boolean;
                discord: boolean;
                teams: boolean;
                pagerduty: boolean;
                opsgenie: boolean;
                custom: boolean;
            };
            /** Format: date-time */
            createdAt: string;
            pausedAt: string | null;
            contract: {
                name: string | null;
                protocol: string | null;
                kind: string | null;
            };
        };
        Delivery: {
            id: number;
            /** @enum {string} */
            channel: "telegram" | "email" | "webhook" | "slack" | "discord" | "teams" | "pagerduty" | "opsgenie" | "custom";
            /** @enum {string} */
            status: "pending" | "retrying" | "sent" | "failed" | "cancelled";
            attempts: number;
            lastError: string | null;
            /** Format: date-time */
            createdAt: string;
            sentAt: string | null;
            event: components["schemas"]["Event"];
        };
        DeliveryAttempt: {
            number: number;
            /** Format: date-time */
            startedAt: string;
            /**
             * @description unknown: the recipient may have received the message, but no response is known
             * @enum {string}
             */
            status: "sent" | "failed" | "unknown";
            /** @description null: the sending process stopped before it recorded a response */
            durationMs: number | null;
            error: string | null;
        };
        ChannelSchedule: {
            /** @description Sends events up to a severity together, every so many minutes since midnight UTC */
            digest: {
                minutes: number;
                /** @enum {string} */
                maxSeverity: "info" | "high" | "critical";
            } | null;
            /** @description Events up to a severity wait until the end and are sent together */
            quietHours: {
                from: string;
                to: string;
                timeZone: string;
                /** @enum {string} */
                maxSeverity: "info" | "high" | "critical";
            } | null;
        };
        MySubscription: {
            id: number;
            /**
             * @description manual: one contract; protocol: every contract of a protocol
             * @enum {string}
             */
            source: "manual" | "protocol";
            chainId: number | null;
            chainSlug: string | null;
            address: string | null;
            protocol: {
                label: string;
                slug: string;
                contracts: number;
            } | null;
            /** @enum {string} */
            minSeverity: "info" | "high" | "critical";
            channels: {
                telegram: boolean;
                email: boolean;
                webhook: boolean;
                slack: boolean;
                discord: boolean;
                teams: boolean;
                pagerduty: boolean;
                opsgenie: boolean;
                custom: boolean;
            };
            /** @description Also sends alerts for the contracts that control it */
            includeControllers: boolean;
            /** @description Changes of these powers are sent whatever their severity */
            powerEffects: ("upgrade" | "execute" | "mint" | "move_funds" | "set_price" | "set_verifier" | "grant" | "set_dependency" | "freeze" | "pause" | "set_terms" | "other")[];
            /** @description Only events of these categories, or with one of eventKeys. Both empty: every event */
            categories: ("upgrade" | "ownership" | "access" | "pause" | "multisig" | "timelock" | "governance" | "token_admin")[];
            /** @description See categories */
            eventKeys: string[];
            /** @description Changes that are queued, executed or canceled are sent whatever their severity, category and key */
            queuedChanges: boolean;
            /** @description head: when a block is first seen, with a retraction if it leaves the chain; confirmed: once the block has the confirmations of its chain; null: transactions with a critical event at head, others when confirmed */
            alertAt: ("head" | "confirmed") | null;
            /** Format: date-time */
            createdAt: string;
            pausedAt: string | null;
            contract: {
                name: string | null;
                protocol: string | null;
                kind: string | null;
            } | null;
        };
        MyNotification: {
            id: number;
            /** @enum {string} */
            channel: "telegram" | "email" | "webhook" | "slack" | "discord" | "teams" | "pagerduty" | "opsgenie" | "custom";
            /** @enum {string} */
            status: "pending" | "retrying" | "sent" | "failed" | "cancelled";
            attempts: number;
            lastError: string | null;
            /** Format: date-time */
            createdAt: string;
            sentAt: string | null;
            event: components["schemas"]["Event"];
            subscriptionId: number;
            /** @description When the block of the event had the confirmations of its chain; null while it has fewer */
            confirmedAt: string | null;
            /** @description When the event was retracted because of a reorg */
            retractedAt: string | null;
            acknowledgedAt: string | null;
            /** @description The name that Telegram or Slack gives for the person, or the e-mail address of the account */
            acknowledgedBy: string | null;
        };
        MyChannels: {
            slack: {
                /** @description The host and the end of the URL; null if the channel is not set up */
                target: string | null;
                setAt: string | null;
                /** @description The recipient refused further messages. Setting the channel again switches it on */
                disabled: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                } | null;
                schedule: components["schemas"]["ChannelSchedule"] | null;
                /** @description The request URL for the interactivity of your Slack app, so that alerts can be acknowledged */
                interactivityUrl: string | null;
            };
            discord: {
                /** @description The host and the end of the URL; null if the channel is not set up */
                target: string | null;
                setAt: string | null;
                /** @description The recipient refused further messages. Setting the channel again switches it on */
                disabled: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                } | null;
                schedule: components["schemas"]["ChannelSchedule"] | null;
            };
            teams: {
                /** @description The host and the end of the URL; null if the channel is not set up */
                target: string | null;
                setAt: string | null;
                /** @description The recipient refused further messages. Setting the channel again switches it on */
                disabled: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                } | null;
                schedule: components["schemas"]["ChannelSchedule"] | null;
            };
            pagerduty: {
                /** @description The host and the end of the URL; null if the channel is not set up */
                target: string | null;
                setAt: string | null;
                /** @description The recipient refused further messages. Setting the channel again switches it on */
                disabled: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                } | null;
                schedule: components["schemas"]["ChannelSchedule"] | null;
            };
            opsgenie: {
                /** @description The host and the end of the URL; null if the channel is not set up */
                target: string | null;
                setAt: string | null;
                /** @description The recipient refused further messages. Setting the channel again switches it on */
                disabled: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                } | null;
                schedule: components["schemas"]["ChannelSchedule"] | null;
            };
            custom: {
                /** @description The host and the end of the URL; null if the channel is not set up */
                target: string | null;
                setAt: string | null;
                /** @description The recipient refused further messages. Setting the channel again switches it on */
                disabled: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                } | null;
                schedule: components["schemas"]["ChannelSchedule"] | null;
                template: string | null;
                contentType: string | null;
            };
            telegram: {
                /** @description Whether this service has a Telegram bot */
                available: boolean;
                chat: {
                    id: string;
                    title: string | null;
                } | null;
                linkedAt: string | null;
                /** @description The recipient refused further messages. Setting the channel again switches it on */
                disabled: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                } | null;
                schedule: components["schemas"]["ChannelSchedule"] | null;
            };
            email: {
                /** @description Whether this service can send mail */
                available: boolean;
                address: string | null;
                /** @description Address that is not confirmed yet */
                pendingAddress: string | null;
                confirmedAt: string | null;
                /** @description The recipient refused further messages. Setting the channel again switches it on */
                disabled: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                } | null;
                schedule: components["schemas"]["ChannelSchedule"] | null;
            };
            webhook: {
                url: string | null;
                /** @description Secret that signs every webhook (Standard Webhooks) */
                secret: string;
                previousSecretValidUntil: string | null;
                setAt: string | null;
                /** @description The recipient refused further messages. Setting the channel again switches it on */
                disabled: {
                    /** Format: date-time */
                    at: string;
                    reason: string;
                } | null;
                schedule: components["schemas"]["ChannelSchedule"] | null;
            };
        };
        TelegramLink: {
            code: string;
            /** @description Opens a private chat with the bot */
            url: string | null;
            /** @description Adds the bot to a group */
            groupUrl: string | null;
            /** @description Message to send to the bot instead of opening a link */
            command: string;
            /** Format: date-time */
            expiresAt: string;
        };
        ChannelTest: {
            delivered: boolean;
            error: string | null;
        };
        SignedInAccount: {
            id: string;
            name: string;
            email: string;
            emailVerified: boolean;
            image?: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @enum {string} */
            plan?: "free" | "team";
            /** @enum {string} */
            utxoPlan?: "basic" | "pro" | "enterprise";
            operator?: boolean;
            twoFactorEnabled?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        Session: {
            id: string;
            /** @description The secret of the session. Browsers use the cookie instead. */
            token: string;
            userId: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            ipAddress?: string | null;
            userAgent?: string | null;
        } & {
            [key: string]: unknown;
        };
        OperatorAccount: {
            id: string;
            email: string;
            /** @enum {string} */
            plan: "free" | "team";
            /** @enum {string} */
            utxoPlan: "basic" | "pro" | "enterprise";
            operator: boolean;
            /** @description Whether a sign-in needs a one-time code */
            twoFactor: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        OperatorChange: {
            id: number;
            /** Format: date-time */
            at: string;
            /** @description The e-mail address of the operator, or the command line */
            actor: string;
            action: string;
            subject: string;
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
        };
        Plans: {
            /** @description Contract control, smallest first */
            v1: {
                /** @enum {string} */
                id: "free" | "team";
                /** @description Active keys of an account; 0 if the plan does not include the API */
                apiKeys: number;
                /** @description Per key */
                requestsPerMinute: number;
                /** @description Per key; null is unlimited */
                requestsPerMonth: number | null;
                /** @description Contracts that were not watched before and that an account may subscribe to */
                newContracts: number;
            }[];
            /** @description Coin data, smallest first */
            v2: {
                /** @enum {string} */
                id: "basic" | "pro" | "enterprise";
                /** @description Active keys of an account; 0 if the plan does not include the API */
                apiKeys: number;
                /** @description Per key */
                requestsPerMinute: number;
                /** @description Per key; null is unlimited */
                requestsPerMonth: number | null;
                /** @description Unspent outputs in one response; null is unlimited */
                utxoLimit: number | null;
                /** @description Addresses in one batch; 0 if the plan does not include batches */
                batchLimit: number;
                /** @description Whether the plan includes `sync=true` and wallets */
                syncCalculation: boolean;
                /** @description Wallets that an account keeps */
                walletLimit: number;
            }[];
        };
        V2Error: {
            /** @constant */
            success: false;
            error: string;
            code: string;
            limit?: number;
            used?: number;
            /** Format: date-time */
            resetDate?: string;
            upgradeUrl?: string;
        };
        KeptWallet: {
            walletId: string;
            chain: string;
            name: string;
            /** @description With its checksum */
            descriptor: string;
            gapLimit: number;
            /** Format: date-time */
            createdAt: string;
        };
        PaidRecipient: {
            address: string;
            amount: number;
            dustThreshold: number;
        };
        ProjectedBlocks: {
            source: string;
            blocks: {
                vsize: number;
                totalFee: number;
                /** @description sat/vB by share of the bytes, cheapest first: 0 %, 10 %, 25 %, 50 %, 75 %, 90 %, 100 % */
                rates: number[];
            }[];
        };
        Analysis: {
            address: string;
            chain: string;
            scriptType: string;
            /** Format: date-time */
            analyzedAt: string;
            tip: {
                height: number;
                hash: string;
            };
            summary: {
                /** @description Confirmed coins, also those that an unconfirmed transaction spends */
                balance: number;
                /** @description What the unconfirmed transactions add to the balance; can be negative */
                unconfirmedBalance: number;
                /** @description Number of the coins that balance sums up */
                utxoCount: number;
                /** @description Confirmed transactions */
                txCount: number;
                /** @description Unconfirmed transactions; /txs lists them before the confirmed ones */
                unconfirmedTxCount: number;
                totalReceived: number;
                totalSent: number;
            };
            privacy: {
                score: number;
                /** @enum {string} */
                grade: "A" | "B" | "C" | "D" | "F";
                factors: {
                    code: string;
                    /** @description Points that the factor adds to the score; negative if it lowers it */
                    impact: number;
                    /** @enum {string} */
                    confidence: "deterministic" | "high" | "medium" | "low";
                    /** @description Txids of up to five transactions that show it */
                    evidence: string[];
                    text: string;
                }[];
            };
            dust: {
                count: number;
                value: number;
                uneconomic: {
                    low: number;
                    medium: number;
                    high: number;
                };
                suspects: {
                    txid: string;
                    vout: number;
                    value: number;
                    /** @enum {string} */
                    verdict: "possible" | "probable";
                    reasons: string[];
                }[];
            };
            consolidation: {
                /**
                 * @description none if there is little to consolidate, or if it saves nothing at any percentile of the last 30 days
                 * @enum {string}
                 */
                recommendation: "now" | "wait" | "optional" | "none";
                included: number;
                excluded: number;
                feeRate: number;
                targetFeeRate: number | null;
                breakEvenFeeRate: number | null;
                cost: {
                    low: number;
                    medium: number;
                    high: number;
                };
                savings: {
                    p50: number;
                    p75: number;
                    p90: number;
                };
                batches: {
                    inputs: number;
                    value: number;
                    fee: number;
                    size: number;
                }[];
                note: string;
            };
            health: {
                score: number;
                /** @enum {string} */
                grade: "A" | "B" | "C" | "D" | "F";
                issues: string[];
            };
            coverage: {
                txsExamined: number;
                historyEntriesExamined: number;
                txsTotal: number;
                truncated: boolean;
            };
            /** @description dust.suspects is cut to the UTXO limit of the plan (100 on Basic, 5,000 on Pro, none on Enterprise); all other figures cover every coin */
            limited: boolean;
        };
        WalletAnalysis: {
            chain: string;
            scriptType: string;
            /** Format: date-time */
            analyzedAt: string;
            tip: {
                height: number;
                hash: string;
            };
            summary: {
                /** @description Confirmed coins, also those that an unconfirmed transaction spends */
                balance: number;
                /** @description What the unconfirmed transactions add to the balance; can be negative */
                unconfirmedBalance: number;
                /** @description Number of the coins that balance sums up */
                utxoCount: number;
                /** @description Confirmed transactions */
                txCount: number;
                /** @description Unconfirmed transactions; /txs lists them before the confirmed ones */
                unconfirmedTxCount: number;
                totalReceived: number;
                totalSent: number;
            };
            privacy: {
                score: number;
                /** @enum {string} */
                grade: "A" | "B" | "C" | "D" | "F";
                factors: {
                    code: string;
                    /** @description Points that the factor adds to the score; negative if it lowers it */
                    impact: number;
                    /** @enum {string} */
                    confidence: "deterministic" | "high" | "medium" | "low";
                    /** @description Txids of up to five transactions that show it */
                    evidence: string[];
                    text: string;
                }[];
            };
            dust: {
                count: number;
                value: number;
                uneconomic: {
                    low: number;
                    medium: number;
                    high: number;
                };
                suspects: {
                    txid: string;
                    vout: number;
                    value: number;
                    /** @enum {string} */
                    verdict: "possible" | "probable";
                    reasons: string[];
                }[];
            };
            consolidation: {
                /**
                 * @description none if there is little to consolidate, or if it saves nothing at any percentile of the last 30 days
                 * @enum {string}
                 */
                recommendation: "now" | "wait" | "optional" | "none";
                included: number;
                excluded: number;
                feeRate: number;
                targetFeeRate: number | null;
                breakEvenFeeRate: number | null;
                cost: {
                    low: number;
                    medium: number;
                    high: number;
                };
                savings: {
                    p50: number;
                    p75: number;
                    p90: number;
                };
                batches: {
                    inputs: number;
                    value: number;
                    fee: number;
                    size: number;
                }[];
                note: string;
            };
            health: {
                score: number;
                /** @enum {string} */
                grade: "A" | "B" | "C" | "D" | "F";
                issues: string[];
            };
            coverage: {
                txsExamined: number;
                historyEntriesExamined: number;
                txsTotal: number;
                truncated: boolean;
            };
            /** @description dust.suspects is cut to the UTXO limit of the plan (100 on Basic, 5,000 on Pro, none on Enterprise); all other figures cover every coin */
            limited: boolean;
            descriptor: string;
        };
        AnalysisBatch: {
            batchId: string;
            chain: string;
            /** @enum {string} */
            status: "queued" | "running" | "completed";
            /** @description Number of different addresses */
            total: number;
            /** Format: date-time */
            createdAt: string;
            completedAt: string | null;
            results: {
                address: string;
                ok: boolean;
                data?: components["schemas"]["Analysis"];
                error?: {
                    code: string;
                    message: string;
                };
            }[];
            summary: {
                ok: number;
                failed: number;
            } | null;
            webhook: {
                url: string;
                /** @enum {string} */
                status: "waiting" | "delivered" | "retrying" | "failed";
                attempts: number;
                lastError: string | null;
            } | null;
            /** @description Signs the callback of this batch; returned only once */
            webhookSecret?: string;
        };
        OperatorChain: {
            chain: string;
            /**
             * @description unreachable: no endpoint has returned the head for a minute; not_watched: no process has reported this chain for a minute
             * @enum {string}
             */
            state: "in_sync" | "reading_history" | "behind" | "unreachable" | "not_watched";
            head: number | null;
            /** @description When an endpoint last returned the head */
            headAt: string | null;
            /** @description When the head last changed */
            headChangedAt: string | null;
            lastBlockRead: number | null;
            /** @description Blocks between the head and the last block read, confirmations not counted */
            lag: number | null;
            /** @description Events are complete from this block on once all history is read */
            historyFrom: number | null;
            /** @description The second pass has verified every block up to this one */
            verifiedTo: number | null;
            /** @description Backfill jobs that are reading or wait for the second pass */
            openJobs: number;
            /** @description Gaps of downtime that were read afterwards */
            gapsRead: number;
            reorgs: number;
            endpoints: number | null;
            /** @description Endpoints that serve the last block read */
            endpointsAgreeing: number | null;
            seenAt: string | null;
            /** @description The last error; it can contain the host of an endpoint */
            lastError: string | null;
        };
        RegisteredContract: {
            chainId: number;
            chainSlug: string | null;
            address: string;
            name: string | null;
            protocol: string | null;
            kind: string;
            /** @enum {string} */
            source: "seed" | "manual" | "discovered";
            lastCheckedAt: string | null;
        };
        KnownName: {
            chainSlug: string;
            address: string;
            name: string;
        };
        SearchResults: {
            contracts: {
                chainId: number;
                chainSlug: string;
                address: string;
                name: string | null;
                protocol: string | null;
                kind: string;
                /** @enum {string} */
                label: "immutable" | "timelocked" | "short_timelock" | "multisig" | "unknown" | "single_key";
                labelText: string;
                /** @enum {string} */
                tone: "green" | "red" | "amber" | "grey";
            }[];
            protocols: {
                protocol: string;
                slug: string;
                contracts: number;
            }[];
            /** @description Accounts that control contracts and are not watched themselves */
            accounts: {
                chainId: number;
                chainSlug: string;
                address: string;
                /** @description Contracts that the account controls */
                controls: number;
            }[];
            eventKinds: {
                key: string;
                category: string;
            }[];
            transactions: {
                chainId: number;
                chainSlug: string;
                hash: string;
                events: number;
                /** Format: date-time */
                blockTime: string;
            }[];
            /** @description False if the search for the transaction timed out */
            isComplete: boolean;
        };
        LogEntry: {
            /**
             * Format: date-time
             * @description Time of the response
             */
            timestamp: string;
            /** @description The `x-request-id` of the response */
            requestId: string;
            accountId: string;
            /** Format: uuid */
            keyId: string;
            endpoint: string;
            chain: string | null;
            status: number;
            /** @description Error code of a failed request */
            code: string | null;
            latencyMs: number;
            bytes: number;
            /** @description The client's /24 (IPv4) or /48 (IPv6) */
            network: string | null;
        };
        TrafficOverview: {
            requests: number;
            /** @description Requests with a response status below 400 */
            successful: number;
            /** @description Requests with a response status of 400 or above */
            failed: number;
            /** @description Percent, rounded down. Null without requests. */
            successRate: number | null;
            /** @description Size of all response bodies */
            bytes: number;
            /** @description Milliseconds from the arrival of a request to its response. Percentiles are within 8.7 % of the exact values. */
            latencyMs: {
                average: number | null;
                p50: number | null;
                p95: number | null;
                p99: number | null;
            };
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            statuses: {
                status: number;
                requests: number;
            }[];
        };
        TrafficByEndpoint: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            endpoints: {
                requests: number;
                /** @description Requests with a response status below 400 */
                successful: number;
                /** @description Requests with a response status of 400 or above */
                failed: number;
                /** @description Percent, rounded down. Null without requests. */
                successRate: number | null;
                /** @description Size of all response bodies */
                bytes: number;
                /** @description Milliseconds from the arrival of a request to its response. Percentiles are within 8.7 % of the exact values. */
                latencyMs: {
                    average: number | null;
                    p50: number | null;
                    p95: number | null;
                    p99: number | null;
                };
                endpoint: string;
            }[];
        };
        TrafficByChain: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            chains: {
                requests: number;
                /** @description Requests with a response status below 400 */
                successful: number;
                /** @description Requests with a response status of 400 or above */
                failed: number;
                /** @description Percent, rounded down. Null without requests. */
                successRate: number | null;
                /** @description Size of all response bodies */
                bytes: number;
                /** @description Milliseconds from the arrival of a request to its response. Percentiles are within 8.7 % of the exact values. */
                latencyMs: {
                    average: number | null;
                    p50: number | null;
                    p95: number | null;
                    p99: number | null;
                };
                /** @description Null for requests that name no chain */
                chain: string | null;
            }[];
        };
        TrafficChart: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            points: {
                requests: number;
                /** @description Requests with a response status below 400 */
                successful: number;
                /** @description Requests with a response status of 400 or above */
                failed: number;
                /** @description Percent, rounded down. Null without requests. */
                successRate: number | null;
                /** @description Size of all response bodies */
                bytes: number;
                /** @description Milliseconds from the arrival of a request to its response. Percentiles are within 8.7 % of the exact values. */
                latencyMs: {
                    average: number | null;
                    p50: number | null;
                    p95: number | null;
                    p99: number | null;
                };
                /**
                 * Format: date-time
                 * @description Start of the hour or UTC day
                 */
                timestamp: string;
            }[];
        };
        TrafficErrors: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            codes: {
                status: number;
                code: string;
                requests: number;
            }[];
            /** @description Newest first */
            errors: components["schemas"]["LogEntry"][];
        };
        TrafficLogs: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            page: number;
            pageSize: number;
            totalPages: number;
            totalItems: number;
            /** @description Newest first */
            logs: components["schemas"]["LogEntry"][];
            /** @description Null on the last page */
            nextCursor: string | null;
        };
        TrafficSummary: {
            overview: components["schemas"]["TrafficOverview"];
            endpoints: components["schemas"]["TrafficByEndpoint"];
            chains: components["schemas"]["TrafficByChain"];
            hourly: components["schemas"]["TrafficChart"];
            daily: components["schemas"]["TrafficChart"];
            errors: components["schemas"]["TrafficErrors"];
        };
        AnalyticsError: {
            /** @constant */
            success: false;
            error: string;
            code: string;
        };
        About: {
            version: string;
            /** @description True if all data comes from local demo chains */
            demo: boolean;
            chains: {
                id: number;
                slug: string;
                name: string;
                explorer: string;
                enabled: boolean;
            }[];
            coins: {
                /** @enum {string} */
                id: "btc" | "ltc";
                enabled: boolean;
            }[];
            /** @description A web or mailto link to the operator; null if there is none */
            contact: string | null;
            /** @description True if this installation sends e-mail */
            mail: boolean;
            /** @description True if this installation sends Telegram messages */
            telegram: boolean;
            /** @description Parts of the demo that are not available, and how to get them */
            missing: {
                /** @enum {string} */
                what: "contracts" | "litecoin";
                reason: string;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
