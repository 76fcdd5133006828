/**
 * API types: what the server takes and sends, by field name. Money is integer cents, a card two characters.
 * Generated from the server's own description by openapi-typescript: `make types` writes this file.
 */

export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health of the process */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Health"];
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
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Readiness of the house */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Health"];
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
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who has signed in */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VisitorAnswer"];
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
    "/api/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Credentials"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VisitorAnswer"];
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
    "/api/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/refill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** More play money */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VisitorAnswer"];
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
    "/api/bots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Number of bots */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BotsChoice"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VisitorAnswer"];
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
    "/api/passwords": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a password */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPassword"];
                };
            };
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every table of the house */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of tables. */
                    limit?: number;
                    /** @description Cursor of the previous page. */
                    after?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TableSummaryListPage"];
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
    "/api/tables/{table}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A table as it is now */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name of a table. */
                    table: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TableMessage"];
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
    "/api/tables/{table}/felt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The layout of a table */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name of a table. */
                    table: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TableConfig"];
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
    "/api/tables/{table}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a command at a table */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name of a table. */
                    table: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["KeyedTableCommand"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAccepted"];
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
    "/api/tables/{table}/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Finish betting */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name of a table. */
                    table: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReadyRequest"];
                };
            };
            responses: {
                /** @description Request fulfilled, nothing follows */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/meters/{meter}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a command on a meter */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    meter: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["KeyedMeterCommand"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAccepted"];
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
    "/api/players/{player}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a command on a player's account */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    player: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["KeyedAccountCommand"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAccepted"];
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
    "/api/staff/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a staff command */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["KeyedStaffCommand"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CommandAccepted"];
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
    "/api/coach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much of the game is solved */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CoachAnswer"];
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
    "/api/advice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The exact value of every choice */
        get: {
            parameters: {
                query: {
                    /** @description Your five cards, such as 'As Ah Kd 7c 2h'. */
                    hand: string;
                    /** @description The dealer's up card, such as 'Ac'. */
                    up: string;
                    /** @description The name of a table. */
                    table?: string | null;
                    bonus?: string | null;
                    /** @description The id of a rulebook. */
                    rulebook?: string | null;
                    /** @description Cents. */
                    ante?: number | null;
                    /** @description Cents. */
                    most?: number | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CoachAdvice"];
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
    "/api/strategy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The best decision by hand and up card */
        get: {
            parameters: {
                query?: {
                    /** @description The name of a table. */
                    table?: string | null;
                    bonus?: string | null;
                    /** @description The id of a rulebook. */
                    rulebook?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The chart and the strategies. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StrategyData"];
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
    "/api/practice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A hand with a close decision to practise */
        get: {
            parameters: {
                query?: {
                    /** @description The name of a table. */
                    table?: string | null;
                    /** @description The same seed gives the same hand. */
                    seed?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PracticeHand"];
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
    "/api/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your decisions, and what mistakes cost */
        get: {
            parameters: {
                query?: {
                    /** @description The name of a table. */
                    table?: string | null;
                    /** @description Maximum number of items. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DecisionsAnswer"];
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
    "/api/decisions/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your next mistake */
        get: {
            parameters: {
                query?: {
                    /** @description Most expensive first, or most recent first. */
                    order?: "cost" | "recent";
                    /** @description The name of a table. */
                    table?: string | null;
                    /** @description The number of a round at its table. */
                    number?: number | null;
                    /** @description The position of the decision. */
                    position?: number | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NextMistake"];
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
    "/api/decisions/skill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your decisions over time by kind of hand */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SkillAnswer"];
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
    "/api/decisions/cells": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your decisions by cell of the strategy chart */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccuracyAnswer"];
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
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your sessions, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlayerSessionListPage"];
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
    "/api/sessions/{table}/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The session of a round */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name of a table. */
                    table: string;
                    /** @description The number of a round at its table. */
                    number: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlayerSession"];
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
    "/api/rounds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finished rounds, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description The name of a table. */
                    table?: string | null;
                    /** @description Only rounds with a mistake. */
                    mistakes?: boolean;
                    /** @description Milliseconds since the start of 1970. */
                    since?: number | null;
                    /** @description Milliseconds since the start of 1970. */
                    until?: number | null;
                    /** @description Maximum number of items. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RoundSummaryListPage"];
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
    "/api/rounds/{table}/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A finished round, step by step */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name of a table. */
                    table: string;
                    /** @description The number of a round at its table. */
                    number: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RoundDetails"];
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
    "/api/rounds/{table}/{number}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What each decision of a round was worth */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name of a table. */
                    table: string;
                    /** @description The number of a round at its table. */
                    number: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RoundReview"];
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
    "/api/games/{game}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The rules that rounds were played by */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The hash of a pinned game. */
                    game: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PinnedGame"];
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
    "/api/rounds/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finished rounds as JSON lines
         * @description The format of `fourcard export`; players get their own rounds without hidden cards.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The name of a table. */
                    table?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description One line per round. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/jsonl": components["schemas"]["ExportedRound"];
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
    "/api/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your results over time, next to expected values */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of rounds. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RoundResults"];
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
    "/api/odds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every wager with its printed paytables, every strategy */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OddsIndex"];
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
    "/api/odds/{wager}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The odds of a wager */
        get: {
            parameters: {
                query?: {
                    /** @description The id of a rulebook. */
                    rulebook?: string | null;
                    /** @description The id of a printed table. */
                    paytable?: string | null;
                    /** @description ante: the bonus table, or 'none'. */
                    bonus?: string | null;
                    /** @description ante: a strategy by name. */
                    strategy?: string | null;
                    /** @description Cents. */
                    stake?: number | null;
                    /** @description Cents. */
                    meter?: number | null;
                    /** @description How many other players. */
                    others?: number | null;
                    envy?: string | null;
                    /** @description bad_beat: whether a tie pays. */
                    tie_wins?: boolean | null;
                    /** @description cover_all: positions dealt in. */
                    players?: number | null;
                    /** @description cover_all: the wanted standard error. */
                    precision?: number | null;
                    /** @description cover_all: random seed. progressive: meter seed in cents. */
                    seed?: number | null;
                    /** @description A share, such as '14.5%' or '29/200'. */
                    rate?: string | null;
                    /** @description A share, such as '14.5%' or '29/200'. */
                    reserve?: string | null;
                    /** @description progressive: what pays fixed awards. */
                    fixed_awards?: "tray" | "meter" | null;
                };
                header?: never;
                path: {
                    wager: "ante" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OddsReport"];
                    };
                };
            };
        };
        put?: never;
        /** The odds of a wager with a custom paytable */
        post: {
            parameters: {
                query?: {
                    /** @description The id of a rulebook. */
                    rulebook?: string | null;
                    /** @description The id of a printed table. */
                    paytable?: string | null;
                    /** @description ante: the bonus table, or 'none'. */
                    bonus?: string | null;
                    /** @description ante: a strategy by name. */
                    strategy?: string | null;
                    /** @description Cents. */
                    stake?: number | null;
                    /** @description Cents. */
                    meter?: number | null;
                    /** @description How many other players. */
                    others?: number | null;
                    envy?: string | null;
                    /** @description bad_beat: whether a tie pays. */
                    tie_wins?: boolean | null;
                    /** @description cover_all: positions dealt in. */
                    players?: number | null;
                    /** @description cover_all: the wanted standard error. */
                    precision?: number | null;
                    /** @description cover_all: random seed. progressive: meter seed in cents. */
                    seed?: number | null;
                    /** @description A share, such as '14.5%' or '29/200'. */
                    rate?: string | null;
                    /** @description A share, such as '14.5%' or '29/200'. */
                    reserve?: string | null;
                    /** @description progressive: what pays fixed awards. */
                    fixed_awards?: "tray" | "meter" | null;
                };
                header?: never;
                path: {
                    wager: "ante" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy";
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OwnPaytable"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OddsReport"];
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
    "/api/published": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every printed figure next to ours */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PublishedAudit"];
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
    "/api/strategies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Strategies compared */
        get: {
            parameters: {
                query?: {
                    bonus?: string | null;
                    /** @description The id of a rulebook. */
                    rulebook?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StrategyResultListPage"];
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
    "/api/par/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The PAR sheet of a table or an example */
        get: {
            parameters: {
                query?: {
                    /** @description File format. */
                    format?: "pdf" | "html" | "json";
                    /** @description What the name refers to; default: a table, else an example. Tables need a sign-in. */
                    of?: "table" | "example" | null;
                };
                header?: never;
                path: {
                    /** @description The name of a table, or of an example. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The sheet. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": string;
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
    "/api/clauses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Clauses */
        get: {
            parameters: {
                query?: {
                    /** @description Search words; all must occur. */
                    search?: string;
                    source?: string | null;
                    topic?: string | null;
                    kind?: string | null;
                    /** @description The id of a rulebook. */
                    rulebook?: string | null;
                    /** @description Maximum number of items. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClauseEntryListPage"];
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
    "/api/clauses/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A clause, a ruling or a policy */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description An id, such as MA-10b.2 or R27. */
                    address: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClauseDetails"] | components["schemas"]["RulingEntry"];
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
    "/api/rulings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rulings and policies */
        get: {
            parameters: {
                query?: {
                    /** @description Search words; all must occur. */
                    search?: string;
                    /** @description Maximum number of items. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RulingEntryListPage"];
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
    "/api/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the rulebooks differ */
        get: {
            parameters: {
                query?: {
                    /** @description Search words; all must occur. */
                    search?: string;
                    /** @description Include points on which all agree. */
                    all?: boolean;
                    /** @description Most points. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DifferencePointListPage"];
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
    "/api/examples": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Example submissions */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExampleListPage"];
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
    "/api/examples/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The text of an example */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name of an example. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExampleText"];
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
    "/api/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check a submission */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubmissionText"];
                };
            };
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CheckReport"];
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
    "/data/games.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The base game of every rulebook
         * @description Return the terms of every rulebook's base game, with the hands that win each row of its bonus tables. A strength is a place among the 2,535 hands of four cards, from 0 for the weakest.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The base game of every rulebook */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TrainerGames"];
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
    "/data/dealing.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How every rulebook deals
         * @description Return the rules of dealing, by which a browser checks a shared round.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description How every rulebook deals */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EveryDealing"];
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
    "/data/rulebooks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every rulebook
         * @description Return the list of all rulebooks.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Every rulebook */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RulebookList"];
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
    "/data/version.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The version of the data files
         * @description Return the program version and the fingerprint of the code and rules that made the data.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The version of the data files */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DataVersion"];
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
    "/data/clauses.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The text of every clause
         * @description Return the text of every clause, ruling and policy.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The text of every clause */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClauseTexts"];
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
    "/data/rules/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The rules of a rulebook for players */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description A rulebook's id, such as maryland.json. */
                    file: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The rules. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RulebookRules"];
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
    "/data/strategy/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The chart and the strategies of a rulebook and a bonus table */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The name of a data file. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The chart and the strategies. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StrategyData"];
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
    "/api/house/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tables now */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TableStatusListPage"];
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
    "/api/house/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Table results by day */
        get: {
            parameters: {
                query?: {
                    /** @description The name of a table. */
                    table?: string | null;
                    /** @description A day or a time, such as 2026-01-31. */
                    day?: string | null;
                    /** @description UTC hour at which a gaming day begins. */
                    begins?: number;
                    /** @description Maximum number of items. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResultsPage"];
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
    "/api/house/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The trial balance */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BalancePage"];
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
    "/api/house/meters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Meters now */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MeterStatusListPage"];
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
    "/api/house/wins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Wins of meters */
        get: {
            parameters: {
                query?: {
                    /** @description The name of a meter. */
                    meter?: string | null;
                    /** @description The name of a table. */
                    table?: string | null;
                    /** @description A day or a time, such as 2026-01-31. */
                    since?: string | null;
                    /** @description A day or a time, such as 2026-01-31. */
                    until?: string | null;
                    /** @description Maximum number of items. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WinEntryListPage"];
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
    "/api/house/staff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Staff */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StaffMemberListPage"];
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
    "/api/house/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Clock of the house */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClockReport"];
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
    "/api/house/security-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The security log */
        get: {
            parameters: {
                query?: {
                    /** @description Maximum number of items. */
                    limit?: number;
                    /** @description Cursor of the previous page; default: the first page. */
                    after?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Request fulfilled, document follows */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SecurityEntryListPage"];
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
        /**
         * AccountBalance
         * @description The balance of one account; negative where it owes.
         */
        AccountBalance: {
            account: string;
            units: number;
            dollars: string;
        };
        /**
         * AccuracyAnswer
         * @description A player's decisions by cell of the strategy chart; each is judged by the terms of its own table.
         */
        AccuracyAnswer: {
            cells: components["schemas"]["CellAccuracy"][];
        };
        /**
         * AllowedActions
         * @description What the viewer may do now.
         */
        AllowedActions: {
            /** @default [] */
            may: components["schemas"]["OfferedCommand"][];
            plays: {
                [key: string]: components["schemas"]["AllowedPlays"];
            };
            folds: {
                [key: string]: components["schemas"]["FoldResult"];
            };
        };
        /**
         * AllowedPlays
         * @description Allowed Play wagers within rules and chips, in cents.
         */
        AllowedPlays: {
            least: number;
            most: number;
            step: number;
        };
        /**
         * AlterationCounts
         * @description Alterations that a clause's own tests had to notice.
         */
        AlterationCounts: {
            tried: number;
            caught: number;
        };
        /**
         * ApproveAdjustment
         * @description Approve another person's proposal, which adjusts the meter.
         */
        ApproveAdjustment: {
            number: number;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "approve_adjustment";
        };
        /**
         * BalancePage
         * @description Trial balance with one page of accounts; the sum must be zero.
         */
        BalancePage: {
            groups: components["schemas"]["GroupBalance"][];
            held: number;
            owed: number;
            sum: number;
            next: string | null;
        };
        /**
         * BasisFigure
         * @description An exact figure and the definition it uses.
         */
        BasisFigure: {
            basis: string;
            fraction: string;
            value: number;
        };
        /**
         * BeginRound
         * @description Open a round for wagers.
         */
        BeginRound: {
            /** @default false */
            count_stub?: boolean;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "begin_round";
        };
        /**
         * BettingSpot
         * @description One betting spot of a position.
         */
        BettingSpot: {
            /** @enum {string} */
            wager: "ante" | "play" | "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy";
            label: string;
            least: number | null;
            most: number | null;
            stakes: number[];
            needs: ("ante" | "play" | "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy")[];
            needs_all: ("ante" | "play" | "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy")[];
            clauses: string[];
            look: components["schemas"]["SpotLook"];
        };
        /**
         * BotsChoice
         * @description How many bots join people at each table.
         */
        BotsChoice: {
            bots: number;
        };
        /**
         * BringDeck
         * @description Replace a deck that was removed or is too old.
         */
        BringDeck: {
            back: string;
            /** @default false */
            preshuffled?: boolean;
            order?: (number | string)[] | string | null;
            deck?: number | null;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "bring_deck";
        };
        /**
         * BringDevice
         * @description Bring a device back into use.
         */
        BringDevice: {
            /** @enum {string} */
            device: "shuffler" | "shoe";
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "bring_device";
        };
        /**
         * BuyIn
         * @description Buy chips at a table with money from an account.
         */
        BuyIn: {
            player: string;
            cents: number;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "buy_in";
        };
        /**
         * CallOff
         * @description Call off a round before its first card is dealt.
         */
        CallOff: {
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "call_off";
        };
        /**
         * CashOut
         * @description Turn chips of a table back into money of an account.
         */
        CashOut: {
            player: string;
            cents: number;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "cash_out";
        };
        /**
         * CellAccuracy
         * @description A player's decisions in one cell of the strategy chart.
         */
        CellAccuracy: {
            hand: string;
            up: string;
            decisions: number;
            best: number;
            lost: number;
        };
        /**
         * CellPlace
         * @description Cell of the strategy grid for a hand, by row and column name.
         */
        CellPlace: {
            hand: string;
            up: string;
        };
        /**
         * ChangeRoles
         * @description Give a person other roles.
         */
        ChangeRoles: {
            person: string;
            roles: ("dealer" | "floorperson" | "supervisor" | "executive" | "auditor" | "administrator")[];
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "change_roles";
        };
        /**
         * ChangeTerms
         * @description Change a meter to the rate, reserve and reset of another submission.
         */
        ChangeTerms: {
            submission: string;
            reason: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "change_terms";
        };
        /**
         * ChartCell
         * @description The decision for one kind of hand with one up card.
         */
        ChartCell: {
            hand: string;
            up: string;
            decision: string;
            mixed: boolean;
            shares: {
                [key: string]: number;
            };
            rules: components["schemas"]["ChartRule"][];
            missed: number;
            values: {
                [key: string]: number;
            };
            margin: number;
            weight: number;
            examples: components["schemas"]["ChartExample"][];
        };
        /**
         * ChartExample
         * @description A hand of a cell with its up card and the best decision for it.
         */
        ChartExample: {
            hand: string;
            up: string;
            best: string;
        };
        /**
         * ChartRule
         * @description A condition that a player can check, and the decision where it is the first that holds.
         */
        ChartRule: {
            if: string;
            then: string;
        };
        /**
         * CheckFinding
         * @description Finding: a violation, or advice not taken.
         */
        CheckFinding: {
            /** @enum {string} */
            level: "error" | "warning";
            where: string;
            code: number;
            name: string;
            message: string;
            clauses: string[];
        };
        /**
         * CheckReport
         * @description Result of the check; sign, worst loss and duties only for a valid submission.
         */
        CheckReport: {
            submission: string | null;
            rulebook: string | null;
            edition: string | null;
            valid: boolean;
            findings: components["schemas"]["CheckFinding"][];
            worst_loss: components["schemas"]["WorstLoss"] | null;
            /** @default [] */
            duties: components["schemas"]["Duty"][];
            game: string | null;
            fingerprint: string;
            /** @default [] */
            sign: components["schemas"]["SignPanel"][];
        };
        /**
         * ChipCount
         * @description A count of the tray or of a drop box, and the amount that the ledger expected.
         */
        ChipCount: {
            at: number;
            /** @enum {string} */
            of: "opening" | "closing" | "drop";
            cents: number;
            expected: number;
            variance: number;
            moment: string;
        };
        /**
         * ChoiceAnswer
         * @description One choice for a given Ante, amounts in cents.
         */
        ChoiceAnswer: {
            choice: string;
            amount: number;
            ev: number;
            cents: number;
            allowed: boolean;
            short: number;
        };
        /**
         * ChooseSeed
         * @description Add a seed to every shuffle of the first algorithm; a house of today has none.
         */
        ChooseSeed: {
            player: string;
            seed: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "choose_seed";
        };
        /**
         * ClauseDetails
         * @description A clause with its rulings, the code and data that carry it, and the tests that prove it.
         */
        ClauseDetails: {
            id: string;
            source: string;
            clause: string;
            topic: string;
            /** @enum {string} */
            kind: "engine" | "procedure" | "data" | "config" | "info" | "physical";
            requirement: string;
            params: string;
            ruling: string;
            notes: string;
            proven: boolean;
            rulings: components["schemas"]["RulingEntry"][];
            carried_by: string[];
            tests: string[];
            sabotage: components["schemas"]["SabotageResult"];
            not_seen?: string;
        };
        /**
         * ClauseEntry
         * @description One requirement of one source.
         */
        ClauseEntry: {
            id: string;
            source: string;
            clause: string;
            topic: string;
            /** @enum {string} */
            kind: "engine" | "procedure" | "data" | "config" | "info" | "physical";
            requirement: string;
            params: string;
            ruling: string;
            notes: string;
            proven: boolean;
        };
        /**
         * ClauseEntryListPage
         * @description One page of a list.
         */
        ClauseEntryListPage: {
            items: components["schemas"]["ClauseEntry"][];
            next: string | null;
        };
        /**
         * ClauseText
         * @description The text of a clause, or the reading of a ruling or policy.
         */
        ClauseText: {
            place: string;
            text: string;
            /** @default  */
            question?: string;
        };
        /**
         * ClauseTexts
         * @description Every text by its id.
         */
        ClauseTexts: {
            clauses: {
                [key: string]: components["schemas"]["ClauseText"];
            };
        };
        /**
         * ClockReport
         * @description The house's timestamp and the machine's clock, in milliseconds.
         */
        ClockReport: {
            stamped: number;
            stamped_moment: string;
            shown: number;
            shown_moment: string;
            ahead: number;
            alert: string;
        };
        /**
         * CloseLink
         * @description Close a meter's link, so none of its tables takes a progressive wager.
         */
        CloseLink: {
            reason: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "close_link";
        };
        /**
         * CloseTable
         * @description Close the table.
         */
        CloseTable: {
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "close_table";
        };
        /**
         * ClosestFigure
         * @description The definition that comes closest to a printed figure that ours does not match.
         */
        ClosestFigure: {
            basis: string;
            fraction: string;
            value: number;
            match: string | null;
            does_not_fit: string[];
        };
        /**
         * CoachAdvice
         * @description The advice within a game's limits, in cents too if the Ante was given.
         */
        CoachAdvice: {
            dealer: components["schemas"]["DealerCounts"];
            ev: {
                [key: string]: number;
            };
            best: string;
            exact: {
                [key: string]: string;
            };
            hand: string;
            fingerprint: string;
            ante: number | null;
            cents: {
                [key: string]: number;
            } | null;
            can: string[];
            best_can: string;
            why: string;
            /** @enum {string} */
            source: "table" | "single state";
            cell: components["schemas"]["CellPlace"];
            choices: components["schemas"]["ChoiceAnswer"][] | null;
        };
        /**
         * CoachAnswer
         * @description Whether the whole game is solved; until then each advice is counted on request.
         */
        CoachAnswer: {
            ready: boolean;
            progress: number;
        };
        /**
         * CollectDrop
         * @description Collect the drop box and count it.
         */
        CollectDrop: {
            cents: number;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "collect_drop";
        };
        /**
         * CommandAccepted
         * @description A command that ran, now or earlier under the same key.
         */
        CommandAccepted: {
            key: string;
            sequence: number;
            repeated: boolean;
            /**
             * @default done
             * @constant
             */
            kind: "done";
        };
        /**
         * CommandRefused
         * @description A refused command, with its key.
         */
        CommandRefused: {
            key: string;
            refusal: components["schemas"]["RefusalBody"];
            /**
             * @default refused
             * @constant
             */
            kind: "refused";
        };
        /**
         * CommitSeed
         * @description Commit to a seed for the next shuffle by its hash; a later hash replaces it until bets close (P40).
         */
        CommitSeed: {
            player: string;
            shuffle: number;
            hash: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "commit_seed";
        };
        /**
         * CompleteDocument
         * @description Report that the payout of a position is documented.
         */
        CompleteDocument: {
            position: number;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "complete_document";
        };
        /**
         * ConfirmAward
         * @description Confirm a large award as the second person, so that it is paid (R61).
         */
        ConfirmAward: {
            position: number;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "confirm_award";
        };
        /**
         * ConfirmClock
         * @description Confirm that the machine's clock is right after it jumped (P37).
         */
        ConfirmClock: {
            ahead: number;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "confirm_clock";
        };
        /**
         * ConsoleMessage
         * @description Console of the progressive, for staff only.
         */
        ConsoleMessage: {
            /** @enum {string} */
            console: "keypad" | "touch";
            sensors: components["schemas"]["SensorView"][];
            /** @enum {null|string} */
            key: "run" | "jph" | null;
            spot: number | null;
            mark: components["schemas"]["MarkedHand"] | null;
            prize: number | null;
            meter: number;
            link: string;
            hands: string[];
            next: components["schemas"]["ConsoleStepView"] | null;
        };
        /**
         * ConsoleStepView
         * @description Next step at a console, and the command for it.
         */
        ConsoleStepView: {
            what: string;
            who: string;
            /** @enum {string} */
            role: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            clauses: string[];
            command: components["schemas"]["OfferedCommand"];
        };
        /**
         * CorrectPayment
         * @description Correct a payment of which the wrong amount was handed over.
         */
        CorrectPayment: {
            position: number;
            /** @enum {string} */
            wager: "ante" | "play" | "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy";
            handed: number;
            reason: string;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "correct_payment";
        };
        /**
         * CountTray
         * @description Count the chips in the tray before a table opens, or after it closed.
         */
        CountTray: {
            /** @enum {string} */
            occasion: "opening" | "closing";
            cents: number;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "count_tray";
        };
        /**
         * Credentials
         * @description A name and a password.
         */
        Credentials: {
            /** @enum {string} */
            kind: "player" | "staff";
            person: string;
            password: string;
        };
        /**
         * CreditTray
         * @description Take chips from the tray to the cage.
         */
        CreditTray: {
            cents: number;
            slip: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "credit_tray";
        };
        /**
         * DataVersion
         * @description The program version, and the fingerprint of the code and rules that made the data.
         */
        DataVersion: {
            version: string;
            fingerprint: string;
        };
        /**
         * Deal
         * @description Deal the next card or stack of the deal plan.
         */
        Deal: {
            /** @default [] */
            cards?: (number | string)[] | string;
            /** @enum {null|string} */
            drawn_with?: "left" | "right" | null;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "deal";
        };
        /**
         * DealPlanMove
         * @description One move of the deal: cards to a recipient, or an action on cards already dealt.
         */
        DealPlanMove: {
            name: string;
            to: number | ("dealer" | "extra" | "bonus_card" | "discarded");
            count: number;
            up: number;
            place: number;
            clauses: string[];
        };
        /**
         * DealerCounts
         * @description How many of the dealer's possible hands are below, equal to and above the player's.
         */
        DealerCounts: {
            below: number;
            tied: number;
            above: number;
            of: number;
        };
        /**
         * DealerResult
         * @description The result of one dealer in cents, without void rounds.
         */
        DealerResult: {
            dealer: string;
            rounds: number;
            handle: number;
            taken: number;
            paid: number;
            by_meter: number;
            win: number;
            hold: components["schemas"]["FigureValue"] | null;
        };
        /**
         * DealingRules
         * @description The part of a rulebook that says in which order cards are dealt.
         */
        DealingRules: {
            id: string;
            edition: string;
            rules: unknown;
        };
        /**
         * DecisionsAnswer
         * @description All own decisions, and the mistakes, most expensive first.
         */
        DecisionsAnswer: {
            decisions: number;
            right: number;
            cost: number;
            mistakes: components["schemas"]["MistakeListPage"];
        };
        /**
         * DeckStatus
         * @description A deck and how long it is in use.
         */
        DeckStatus: {
            back: string;
            hours: number;
            most_hours: number | null;
            clauses: string[];
            in_play: boolean;
            removed: boolean;
            overdue: boolean;
        };
        /**
         * DeckView
         * @description A deck as everybody sees it, without its cards.
         */
        DeckView: {
            back: string;
            left: number | null;
            in_shuffler: boolean;
            removed: boolean;
            due: string[];
        };
        /**
         * Deposit
         * @description Pay money into a player's account at the cage.
         */
        Deposit: {
            cents: number;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "deposit";
        };
        /**
         * DifferencePoint
         * @description One point and what each rulebook says on it.
         */
        DifferencePoint: {
            point: string;
            differs: boolean;
            pays?: {
                [key: string]: string;
            };
            rulebooks: {
                [key: string]: components["schemas"]["RulebookValue"];
            };
        };
        /**
         * DifferencePointListPage
         * @description One page of a list.
         */
        DifferencePointListPage: {
            items: components["schemas"]["DifferencePoint"][];
            next: string | null;
        };
        /**
         * DismissStaff
         * @description Dismiss a person; every sign-in ends.
         */
        DismissStaff: {
            person: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "dismiss_staff";
        };
        /**
         * DisplayedMeter
         * @description A meter and the cents it shows.
         */
        DisplayedMeter: {
            name: string;
            cents: number;
        };
        /**
         * DrawnCards
         * @description Cards that left the deck together: to a position or another place, or face up and discarded.
         */
        DrawnCards: {
            to: number | ("dealer" | "extra" | "bonus_card" | "discarded");
            cards: string;
        };
        /**
         * Duty
         * @description Duty at the table: what, who, and the clauses.
         */
        Duty: {
            what: string;
            who: string;
            clauses: string[];
        };
        /**
         * EnterReading
         * @description Enter the last amount on the signs of a restored meter; another person approves it (P38).
         */
        EnterReading: {
            cents: number;
            reason: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "enter_reading";
        };
        /**
         * EveryDealing
         * @description The dealing rules of each edition of each rulebook.
         */
        EveryDealing: {
            rulebooks: components["schemas"]["DealingRules"][];
        };
        /**
         * Example
         * @description An example submission that ships with the system.
         */
        Example: {
            name: string;
            title: string;
            rulebook: string;
        };
        /**
         * ExampleListPage
         * @description One page of a list.
         */
        ExampleListPage: {
            items: components["schemas"]["Example"][];
            next: string | null;
        };
        /**
         * ExampleText
         * @description An example with its text.
         */
        ExampleText: {
            name: string;
            text: string;
        };
        /**
         * ExportedRound
         * @description A finished round with its shuffle proof.
         */
        ExportedRound: {
            id: string;
            rulebook: string;
            options: {
                [key: string]: unknown;
            };
            settings: {
                [key: string]: boolean | number | string;
            };
            seats: components["schemas"]["ExportedSeat"][];
            dealer: string;
            edition?: string;
            bonus_card?: string;
            void?: string;
            proof: components["schemas"]["ShuffleProof"];
        };
        /**
         * ExportedSeat
         * @description One position of an exported round.
         */
        ExportedSeat: {
            position: number;
            player: string;
            cards: string;
            wagers: {
                [key: string]: number;
            };
            play?: number;
            left?: boolean;
            presented?: string;
        };
        /**
         * FigureValue
         * @description A figure: an exact fraction and its value, or an estimate and its standard error.
         */
        FigureValue: {
            fraction?: string;
            value: number;
            standard_error?: number;
        };
        /**
         * FillTray
         * @description Bring chips from the cage to the tray.
         */
        FillTray: {
            cents: number;
            slip: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "fill_tray";
        };
        /**
         * Fold
         * @description Fold and forfeit the Ante.
         */
        Fold: {
            position: number;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "fold";
        };
        /**
         * FoldResult
         * @description What a fold loses, by wager in cents, and which wagers stay in play.
         */
        FoldResult: {
            lost: {
                [key: string]: number;
            };
            stays: ("ante" | "play" | "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy")[];
        };
        /**
         * GoIdle
         * @description Declare the table idle and spread its cards; a player asks for how they lie.
         */
        GoIdle: {
            /** @enum {string} */
            spread: "face-up" | "face-down";
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "go_idle";
        };
        /**
         * GroupBalance
         * @description The accounts of one group, in units of 1/10,000 cent.
         */
        GroupBalance: {
            /** @enum {string} */
            group: "player" | "chips" | "layout" | "tray" | "drop" | "meter" | "reserve" | "prizes" | "link" | "cage";
            units: number;
            dollars: string;
            held: number;
            owed: number;
            accounts: components["schemas"]["AccountBalance"][];
        };
        /**
         * HandRanking
         * @description Every kind of hand, the best first, and how equal kinds compare.
         */
        HandRanking: {
            hands: components["schemas"]["RankedHand"][];
            sentences: components["schemas"]["RulesSentence"][];
        };
        /**
         * Health
         * @description Health of the process, and the version it runs.
         */
        Health: {
            status: string;
            version: string;
            /** @default  */
            reason: string;
            /** @default [] */
            alerts: string[];
        };
        /**
         * HireStaff
         * @description Hire a person in one or more roles.
         */
        HireStaff: {
            person: string;
            name: string;
            roles: ("dealer" | "floorperson" | "supervisor" | "executive" | "auditor" | "administrator")[];
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "hire_staff";
        };
        /**
         * InstallTable
         * @description Install a table for a game, or a closed table for another game.
         */
        InstallTable: {
            submission: string;
            /**
             * @default built-in
             * @enum {string}
             */
            cards?: "built-in" | "keyed";
            /** @default  */
            meter?: string;
            /** @default  */
            rulebook_hash?: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "install_table";
        };
        /**
         * IrregularityView
         * @description An irregularity of the round.
         */
        IrregularityView: {
            /** @enum {string} */
            irregularity: "one_face_up_card" | "more_face_up_cards" | "card_drawn_in_error" | "wrong_number_of_cards" | "dealer_card_exposed" | "player_card_exposed" | "shuffler_failure" | "shoe_failure" | "cards_on_play_without_chips";
            consequences: string[];
            clauses: string[];
            position: number;
            card: string | null;
        };
        /**
         * JudgeCount
         * @description Explain a wrong stub count: the stub counted again, and the size of every hand (0: the dealer).
         */
        JudgeCount: {
            stub: number | null;
            hands: {
                [key: string]: number | null;
            };
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "judge_count";
        };
        /**
         * KeyedAccountCommand
         * @description A command to a player's account.
         */
        KeyedAccountCommand: {
            key: string;
            command: components["schemas"]["RegisterPlayer"] | components["schemas"]["Deposit"] | components["schemas"]["Withdraw"];
        };
        /**
         * KeyedMeterCommand
         * @description A command to a meter.
         */
        KeyedMeterCommand: {
            key: string;
            command: components["schemas"]["CloseLink"] | components["schemas"]["OpenLink"] | components["schemas"]["ChangeTerms"] | components["schemas"]["ProposeAdjustment"] | components["schemas"]["ProposeBackOut"] | components["schemas"]["EnterReading"] | components["schemas"]["ApproveAdjustment"] | components["schemas"]["RejectAdjustment"];
        };
        /**
         * KeyedStaffCommand
         * @description A command about staff.
         */
        KeyedStaffCommand: {
            key: string;
            command: components["schemas"]["HireStaff"] | components["schemas"]["ChangeRoles"] | components["schemas"]["DismissStaff"] | components["schemas"]["ConfirmClock"];
        };
        /**
         * KeyedTableCommand
         * @description A command to a table: of the game, its console or the house.
         */
        KeyedTableCommand: {
            key: string;
            command: components["schemas"]["OpenTable"] | components["schemas"]["BringDeck"] | components["schemas"]["Prepare"] | components["schemas"]["OrderRecut"] | components["schemas"]["OrderShuffle"] | components["schemas"]["BeginRound"] | components["schemas"]["ReportFailure"] | components["schemas"]["BringDevice"] | components["schemas"]["SwapMachine"] | components["schemas"]["SwitchMethod"] | components["schemas"]["GoIdle"] | components["schemas"]["CloseTable"] | components["schemas"]["LastHand"] | components["schemas"]["CallOff"] | components["schemas"]["TakeSeat"] | components["schemas"]["LeaveSeat"] | components["schemas"]["PlaceWager"] | components["schemas"]["PlaceWagers"] | components["schemas"]["WithdrawWager"] | components["schemas"]["Perform"] | components["schemas"]["Deal"] | components["schemas"]["JudgeCount"] | components["schemas"]["Play"] | components["schemas"]["Fold"] | components["schemas"]["SetHand"] | components["schemas"]["PayAward"] | components["schemas"]["ConfirmAward"] | components["schemas"]["CompleteDocument"] | components["schemas"]["CorrectPayment"] | components["schemas"]["TreatAsAbandoned"] | components["schemas"]["ReportIrregularity"] | components["schemas"]["Press"] | components["schemas"]["PressHand"] | components["schemas"]["SelectSpot"] | components["schemas"]["TurnKey"] | components["schemas"]["SwipeCard"] | components["schemas"]["ReportLink"] | components["schemas"]["InstallTable"] | components["schemas"]["CountTray"] | components["schemas"]["FillTray"] | components["schemas"]["CreditTray"] | components["schemas"]["CollectDrop"] | components["schemas"]["BuyIn"] | components["schemas"]["CashOut"] | components["schemas"]["LeaveTable"] | components["schemas"]["ChooseSeed"] | components["schemas"]["CommitSeed"] | components["schemas"]["RevealSeed"];
        };
        /**
         * LastHand
         * @description Close the table after the current round, or at once between rounds (P36).
         */
        LastHand: {
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "last_hand";
        };
        /**
         * LeaveSeat
         * @description Leave a position.
         */
        LeaveSeat: {
            position: number;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "leave_seat";
        };
        /**
         * LeaveTable
         * @description Leave every seat and cash out: at once, or after the round that holds wagers (P35).
         */
        LeaveTable: {
            player: string;
            /** @default false */
            cancel?: boolean;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "leave_table";
        };
        /**
         * LimitsAnswer
         * @description Posted limits of a wager, in cents.
         */
        LimitsAnswer: {
            least: number;
            most: number;
        };
        /**
         * LiveMessage
         * @description What a live table sends, by kind.
         */
        LiveMessage: components["schemas"]["TableMessage"] | components["schemas"]["TableChange"] | components["schemas"]["CommandAccepted"] | components["schemas"]["CommandRefused"] | components["schemas"]["ProtocolError"];
        /**
         * LiveRequest
         * @description What a client sends to a live table: a command, or a request about the table.
         */
        LiveRequest: components["schemas"]["KeyedTableCommand"] | components["schemas"]["ReadyMessage"] | components["schemas"]["WholeTableRequest"] | components["schemas"]["SpeedRequest"] | components["schemas"]["SkipRequest"];
        /**
         * LoggedAward
         * @description A win as its meter logged it.
         */
        LoggedAward: {
            meter: string;
            number: number;
            at: number;
            moment: string;
            table: string;
            round: number;
            position: number;
            player: string;
            cards: string;
            row: string;
            amount_cents: number;
            from_meter_cents: number;
            from_tray_cents: number;
            meter_to_tray_cents: number;
            shortfall_cents: number;
            whole: boolean;
            seeded_cents: number;
            from_reserve_units: number;
            before_cents: number;
            after_cents: number;
            marked_by: string;
            confirmed_by: string;
            confirmed_as: string;
        };
        /**
         * LuckAndSkill
         * @description A result in cents, split into what the decisions cost and what the cards gave.
         */
        LuckAndSkill: {
            net: number;
            cost: number;
            luck: number;
        };
        /**
         * MarkedHand
         * @description The winning hand that the dealer marked.
         */
        MarkedHand: {
            position: number;
            row: string;
            by: string;
        };
        /**
         * MeterBalance
         * @description A progressive meter, in units.
         */
        MeterBalance: {
            name: string;
            units: number;
            reserve: number;
            taken: number;
        };
        /**
         * MeterCycleReport
         * @description The long run of a progressive's meter.
         */
        MeterCycleReport: {
            rate: components["schemas"]["FigureValue"];
            reserve: components["schemas"]["FigureValue"];
            seed: number;
            /** @enum {string} */
            fixed_awards: "tray" | "meter";
            wagers_per_hit: {
                [key: string]: components["schemas"]["FigureValue"] | null;
            };
            wagers_between_wins: components["schemas"]["FigureValue"] | null;
            average_win: components["schemas"]["FigureValue"] | null;
            assumptions: string[];
        };
        /**
         * MeterProposal
         * @description An adjustment that waits for approval.
         */
        MeterProposal: {
            kind: string;
            number: number;
            part: string;
            amount_cents: number;
            win: number;
            reason: string;
            by: string;
            reading: number | null;
        };
        /**
         * MeterRow
         * @description One row of a meter's paytable, and how often it was hit.
         */
        MeterRow: {
            row: string;
            odds: string;
            hits: number;
        };
        /**
         * MeterStatus
         * @description A meter with its terms, its hits by row, its last wins, and what waits.
         */
        MeterStatus: {
            meter: string;
            displayed_cents: number;
            meter_units: number;
            reserve_units: number;
            owed_units: number;
            wagered_cents: number;
            contributed_units: number;
            paid_units: number;
            seeded_units: number;
            adjusted_units: number;
            borne_units: number;
            won_cents: number;
            shortfall_cents: number;
            hits: number;
            times_taken: number;
            /** @enum {string} */
            link: "open" | "closed";
            closed: string;
            tables: string[];
            holds: boolean;
            in_ledger_units: number;
            agrees: boolean;
            rate: string;
            reserve_rate: string;
            reset_cents: number | null;
            submission: string;
            rulebook: string;
            rulebook_name: string;
            edition: string;
            game: string;
            /** @enum {null|string} */
            fixed_awards: "tray" | "meter" | null;
            executive_threshold_cents: number | null;
            rows: components["schemas"]["MeterRow"][];
            last: components["schemas"]["RecentWin"][];
            logged: number[];
            unpaid: components["schemas"]["LoggedAward"][];
            proposals: components["schemas"]["MeterProposal"][];
        };
        /**
         * MeterStatusListPage
         * @description One page of a list.
         */
        MeterStatusListPage: {
            items: components["schemas"]["MeterStatus"][];
            next: string | null;
        };
        /**
         * Mistake
         * @description A decision that was not the best one, amounts in cents.
         */
        Mistake: {
            table: string;
            number: number;
            position: number;
            hand: string;
            up: string;
            ante: number;
            chose: string;
            best: string;
            cost: number;
            verdict: string;
            values: {
                [key: string]: number;
            };
            short: number;
        };
        /**
         * MistakeListPage
         * @description One page of a list.
         */
        MistakeListPage: {
            items: components["schemas"]["Mistake"][];
            next: string | null;
        };
        /**
         * MoneyMovement
         * @description A movement of money, with the hand that decided it where that is visible.
         */
        MoneyMovement: {
            position: number;
            /** @enum {string} */
            wager: "ante" | "play" | "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy";
            /** @enum {string} */
            action: "take" | "pay";
            amount: number;
            source: string;
            clauses: string[];
            hand: string | null;
            row: string | null;
            odds: string | null;
        };
        /**
         * NamedStrategy
         * @description A built-in strategy.
         */
        NamedStrategy: {
            name: string;
            says: string;
        };
        /**
         * NarrationLine
         * @description One sentence of narration, with its clauses and the position it is about (0: none).
         */
        NarrationLine: {
            text: string;
            clauses: string[];
            position: number;
        };
        /**
         * NewPassword
         * @description A new password; the present one is required to change your own.
         */
        NewPassword: {
            /** @enum {string} */
            kind: "player" | "staff";
            person: string;
            password: string;
            /** @default  */
            present?: string;
        };
        /**
         * NextMistake
         * @description The mistake after a decision, and its place among all of them.
         */
        NextMistake: {
            mistake: components["schemas"]["Mistake"] | null;
            place: number;
            of: number;
        };
        /**
         * NextStepView
         * @description The dealer's next step, with the clauses that order it.
         */
        NextStepView: {
            step: string;
            position: number;
            clauses: string[];
            /** @enum {null|string} */
            kept: "collect_forfeits" | "muck_hands" | "reveal_dealer" | "announce_dealer" | "lay_unused_behind" | "bring_hand" | "reveal_hand" | "choose_hand" | "settle" | "take" | "pay" | "rack_hand" | "rack_dealer" | "display_odds" | "reveal_bonus_card" | "muck_hand" | "leave_face_up" | "hold_for_document" | "leave_exposed" | "remove_exposed" | "rack_bonus_card" | "settle_winners" | "settle_last" | null;
        };
        /**
         * OddsIndex
         * @description Everything that can be requested.
         */
        OddsIndex: {
            wagers: components["schemas"]["WagerIndex"][];
            strategies: components["schemas"]["NamedStrategy"][];
            bonuses: string[];
            rulebooks: components["schemas"]["RulebookIndex"][];
        };
        /**
         * OddsOption
         * @description Option that changes a wager's odds, with its form field; amounts in dollars.
         */
        OddsOption: {
            /** @enum {string} */
            name: "bonus" | "strategy" | "stake" | "meter" | "others" | "envy" | "tie_wins" | "players" | "precision" | "seed" | "rate" | "reserve" | "fixed_awards";
            /** @default  */
            label: string;
            /**
             * @default hidden
             * @enum {string}
             */
            kind: "dollars" | "count" | "strategy" | "tick" | "hidden";
            /** @default 0 */
            least: number;
            /** @default 0 */
            most: number;
            /** @default 1 */
            step: number;
            start: number | null;
        };
        /**
         * OddsReport
         * @description The odds of a wager; figures that it does not have are left out.
         */
        OddsReport: {
            /** @enum {string} */
            wager: "ante" | "play" | "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy";
            paytable: string;
            rulebook: string;
            edition: string;
            players?: number;
            house_edge: components["schemas"]["FigureValue"];
            hit_frequency: components["schemas"]["FigureValue"];
            standard_deviation: number;
            variance?: components["schemas"]["FigureValue"];
            ev_per_ante?: components["schemas"]["FigureValue"];
            average_wager?: components["schemas"]["FigureValue"];
            element_of_risk?: components["schemas"]["FigureValue"];
            decisions?: {
                [key: string]: components["schemas"]["FigureValue"];
            };
            results?: {
                [key: string]: components["schemas"]["FigureValue"];
            };
            bonus_hit_frequency?: components["schemas"]["FigureValue"];
            bonus_value?: components["schemas"]["FigureValue"];
            house_edge_without_envy?: components["schemas"]["FigureValue"];
            envy_from_each_other?: components["schemas"]["FigureValue"];
            envy?: components["schemas"]["FigureValue"];
            break_even_meter?: components["schemas"]["FigureValue"] | null;
            top_award?: components["schemas"]["FigureValue"];
            meter_cycle?: components["schemas"]["MeterCycleReport"];
            outcomes: components["schemas"]["WagerOutcome"][];
            published: {
                [key: string]: components["schemas"]["PrintedFigure"];
            } | null;
            rounds?: number;
            seed?: number;
            assumptions?: string[];
            clauses: string[];
            fingerprint: string;
        };
        /**
         * OfferedCommand
         * @description A command as a client sends it, with its fields by name; a person fills in each that is null.
         */
        OfferedCommand: {
            kind: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * OpenLink
         * @description Open the link again.
         */
        OpenLink: {
            reason: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "open_link";
        };
        /**
         * OpenTable
         * @description Open the table with decks, each named by its back.
         */
        OpenTable: {
            decks: string[];
            /** @default false */
            preshuffled?: boolean;
            /** @default [] */
            orders?: ((number | string)[] | string)[];
            /**
             * @default left
             * @enum {string}
             */
            shoe_side?: "left" | "right";
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "open_table";
        };
        /**
         * OrderRecut
         * @description Order another cut.
         */
        OrderRecut: {
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "order_recut";
        };
        /**
         * OrderShuffle
         * @description Order another shuffle.
         */
        OrderShuffle: {
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "order_shuffle";
        };
        /**
         * OtherRules
         * @description What other rulebooks say on a point.
         */
        OtherRules: {
            rulebooks: string[];
            names: string[];
            sentence: components["schemas"]["RulesSentence"];
        };
        /**
         * OwnPaytable
         * @description A custom paytable: payouts such as '3 to 1' by row.
         */
        OwnPaytable: {
            pays: {
                [key: string]: string;
            };
            /**
             * @default 4
             * @enum {integer}
             */
            cards?: 4 | 5;
        };
        /**
         * PayAward
         * @description Pay the progressive award that waits, with its amount.
         */
        PayAward: {
            position: number;
            payment: components["schemas"]["Payment"];
            before: number;
            after: number;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "pay_award";
        };
        /**
         * PayColumn
         * @description One paytable, or several that pay alike.
         */
        PayColumn: {
            ids: string[];
            heading: string;
            pays: {
                [key: string]: string;
            };
            clauses: string[];
        };
        /**
         * PayGrid
         * @description What a wager pays, by hand and paytable, where all its tables judge equally many cards.
         */
        PayGrid: {
            cards: number;
            rows: components["schemas"]["PayRow"][];
            columns: components["schemas"]["PayColumn"][];
        };
        /**
         * PayRow
         * @description One hand of a paytable.
         */
        PayRow: {
            row: string;
            label: string;
        };
        /**
         * Payment
         * @description Payment of one award: amounts in cents, reset amounts in units.
         */
        Payment: {
            /** @default 0 */
            from_meter?: number;
            /** @default 0 */
            from_tray?: number;
            /** @default 0 */
            meter_to_tray?: number;
            /** @default false */
            whole?: boolean;
            /** @default 0 */
            seeded?: number;
            /** @default 0 */
            from_reserve?: number;
            /** @default 0 */
            shortfall?: number;
            /** @default 0 */
            taken?: number;
        };
        /**
         * Perform
         * @description Perform the next step of a procedure at a position; position 0 means none.
         */
        Perform: {
            step: ("inspect_cards" | "verify_inspection" | "spread_face_up" | "show_first_player" | "turn_face_down" | "wash" | "stack" | "shuffle_by_hand" | "riffle_first" | "riffle_second" | "strip" | "riffle_third" | "put_in_shuffler" | "press_shuffle" | "shuffle_by_machine" | "square_stack" | "lay_cover_card" | "insert_cover_card" | "cut" | "place_rest_on_top" | "rack_cover_card" | "put_in_shoe" | "take_in_hand" | "put_in_machine" | "announce_no_more_bets" | "lock_out" | "collect_chips" | "count_chips" | "put_chips_in_tray" | "remove_stub" | "count_stub" | "discard_stub" | "press_green_button" | "let_players_look" | "look_and_lay_face_down" | "clear_shoe_and_rack" | "spread_cards" | "turn_face_up" | "consult_guide" | "switch_off" | "unplug" | "put_backup_in_place" | "connect" | "switch_on" | "call_manufacturer" | "resume_play" | "remove_device" | "cover_device" | "mark_device") | ("deal" | "verify_hand" | "spread_extra_stack" | "turn_up_card" | "discard_extra_cards") | ("collect_forfeits" | "muck_hands" | "reveal_dealer" | "announce_dealer" | "lay_unused_behind" | "bring_hand" | "reveal_hand" | "choose_hand" | "settle" | "take" | "pay" | "rack_hand" | "rack_dealer") | ("display_odds" | "reveal_bonus_card" | "muck_hand" | "leave_face_up" | "hold_for_document" | "leave_exposed" | "remove_exposed" | "rack_bonus_card" | "settle_winners" | "settle_last");
            /** @default 0 */
            position?: number;
            count?: number | null;
            /** @enum {null|string} */
            hand?: "left" | "right" | null;
            /** @default false */
            exposed?: boolean;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "perform";
        };
        /**
         * PinnedGame
         * @description The rules that rounds were played by.
         */
        PinnedGame: {
            hash: string;
            text: string;
        };
        /**
         * PlaceWager
         * @description Place a wager on its betting spot, or change its amount.
         */
        PlaceWager: {
            position: number;
            /** @enum {string} */
            wager: "ante" | "play" | "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy";
            amount: number;
            /**
             * @default chip
             * @enum {string}
             */
            instrument?: "chip" | "plaque" | "match-play-coupon" | "approved-instrument" | "cash";
            /**
             * @default house
             * @enum {string}
             */
            against?: "house" | "player";
            /** @default true */
            accepted?: boolean;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "place_wager";
        };
        /**
         * PlaceWagers
         * @description Place several wagers of a position with chips, or change their amounts: all of them or none.
         */
        PlaceWagers: {
            position: number;
            wagers: {
                [key: string]: number;
            };
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "place_wagers";
        };
        /**
         * Play
         * @description Make the Play wager.
         */
        Play: {
            position: number;
            amount: number;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "play";
        };
        /**
         * PlayRule
         * @description Allowed size of a Play wager, in Antes.
         */
        PlayRule: {
            least: number;
            most: number;
            whole: boolean;
            clauses: string[];
        };
        /**
         * PlayerSession
         * @description Rounds of a player at one table without a pause of more than 30 minutes.
         */
        PlayerSession: {
            table: string;
            first: number;
            last: number;
            begin: number;
            end: number;
            rounds: number;
            wagered: number;
            result: components["schemas"]["LuckAndSkill"];
            decisions: number;
            verdicts: {
                [key: string]: number;
            };
        };
        /**
         * PlayerSessionListPage
         * @description One page of a list.
         */
        PlayerSessionListPage: {
            items: components["schemas"]["PlayerSession"][];
            next: string | null;
        };
        /**
         * PositionSummary
         * @description One position of a finished round.
         */
        PositionSummary: {
            position: number;
            player: string;
            wagered: number;
            net: number;
            cards: string[];
            hand: string | null;
            decision: string | null;
            cost: number | null;
            verdict: string | null;
        };
        /**
         * PositionView
         * @description A position as one viewer sees it.
         */
        PositionView: {
            position: number;
            player: string;
            wagers: {
                [key: string]: number;
            };
            lying: {
                [key: string]: number;
            };
            cards: string[];
            /** @enum {null|string} */
            decision: "play" | "fold" | null;
            asked: boolean;
            abandoned: boolean;
            racked: boolean;
            net: number;
            hand: string | null;
        };
        /**
         * PracticeHand
         * @description A hand and an up card to practise.
         */
        PracticeHand: {
            hand: string;
            up: string;
        };
        /**
         * Prepare
         * @description Perform the next preparation step: opening, shuffle, cut, loading, or care of a failed device.
         */
        Prepare: {
            /** @enum {string} */
            step: "inspect_cards" | "verify_inspection" | "spread_face_up" | "show_first_player" | "turn_face_down" | "wash" | "stack" | "shuffle_by_hand" | "riffle_first" | "riffle_second" | "strip" | "riffle_third" | "put_in_shuffler" | "press_shuffle" | "shuffle_by_machine" | "square_stack" | "lay_cover_card" | "insert_cover_card" | "cut" | "place_rest_on_top" | "rack_cover_card" | "put_in_shoe" | "take_in_hand" | "put_in_machine" | "announce_no_more_bets" | "lock_out" | "collect_chips" | "count_chips" | "put_chips_in_tray" | "remove_stub" | "count_stub" | "discard_stub" | "press_green_button" | "let_players_look" | "look_and_lay_face_down" | "clear_shoe_and_rack" | "spread_cards" | "turn_face_up" | "consult_guide" | "switch_off" | "unplug" | "put_backup_in_place" | "connect" | "switch_on" | "call_manufacturer" | "resume_play" | "remove_device" | "cover_device" | "mark_device";
            deck?: number | null;
            order?: (number | string)[] | string | null;
            depth?: number | null;
            count?: number | null;
            /** @enum {null|string} */
            hand?: "left" | "right" | null;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "prepare";
        };
        /**
         * Press
         * @description Press a button other than a hand: start or end of a game, J-POT, or CONFIRM.
         */
        Press: {
            button: ("coin_in" | "start_game") | ("game_over" | "end_game") | ("j_pot" | "confirm");
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "press";
        };
        /**
         * PressHand
         * @description Press the button of a winning hand, a row of the paytable; the same button again cancels it.
         */
        PressHand: {
            hand: string;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "press_hand";
        };
        /**
         * PrintedFigure
         * @description A figure as printed in a source.
         */
        PrintedFigure: {
            printed: string;
            clause: string;
            basis: string;
        };
        /**
         * PrintedPaytable
         * @description A paytable that a rulebook prints, or takes from another rulebook.
         */
        PrintedPaytable: {
            rulebook: string;
            paytable: string;
            column: string;
            pays: {
                [key: string]: string;
            };
            clauses: string[];
        };
        /**
         * Problem
         * @description Body of every error response.
         */
        Problem: {
            refusal: components["schemas"]["RefusalBody"];
        };
        /**
         * ProposeAdjustment
         * @description Propose to add cents to a meter or its reserve; negative cents are taken away.
         */
        ProposeAdjustment: {
            cents: number;
            reason: string;
            /**
             * @default meter
             * @enum {string}
             */
            part?: "meter" | "reserve";
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "propose_adjustment";
        };
        /**
         * ProposeBackOut
         * @description Propose to back a logged win out of the meter, by its number.
         */
        ProposeBackOut: {
            win: number;
            reason: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "propose_back_out";
        };
        /**
         * ProtocolError
         * @description A message that is invalid or exceeds the rate limit; the connection stays open.
         */
        ProtocolError: {
            key: string;
            message: string;
            /**
             * @default trouble
             * @constant
             */
            kind: "trouble";
        };
        /**
         * PublishedAudit
         * @description Every printed figure next to ours.
         */
        PublishedAudit: {
            figures: components["schemas"]["PublishedComparison"][];
            fingerprint: string;
        };
        /**
         * PublishedComparison
         * @description A printed figure next to ours.
         */
        PublishedComparison: {
            clause: string;
            /** @enum {string} */
            wager: "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive";
            paytable: string;
            /** @enum {string} */
            measure: "house_edge" | "hit_frequency" | "house_advantage" | "top_odds" | "top_average" | "contribution_growth";
            printed: string;
            exact: components["schemas"]["BasisFigure"] | null;
            agrees: boolean | null;
            closest: components["schemas"]["ClosestFigure"] | null;
            note: string;
        };
        /**
         * RankedHand
         * @description One kind of hand with an example.
         */
        RankedHand: {
            hand: string;
            label: string;
            cards: string;
        };
        /**
         * ReadyMessage
         * @description A player is done betting in a round.
         */
        ReadyMessage: {
            key: string;
            ready: number;
        };
        /**
         * ReadyRequest
         * @description A player is done betting in a round.
         */
        ReadyRequest: {
            round: number;
        };
        /**
         * RecentWin
         * @description One of the last wins of a meter.
         */
        RecentWin: {
            meter: string;
            number: number;
            at: number;
            moment: string;
            table: string;
            round: number;
            position: number;
            player: string;
            cards: string;
            row: string;
            amount_cents: number;
            from_meter_cents: number;
            from_tray_cents: number;
            meter_to_tray_cents: number;
            shortfall_cents: number;
            whole: boolean;
            seeded_cents: number;
            from_reserve_units: number;
            before_cents: number;
            after_cents: number;
            marked_by: string;
            confirmed_by: string;
            confirmed_as: string;
            adjusted: boolean;
            backed_out: boolean;
        };
        /**
         * RefusalBody
         * @description Refusal as sent to clients.
         */
        RefusalBody: {
            code: number;
            name: string;
            message: string;
            clauses: string[];
        };
        /**
         * RegisterPlayer
         * @description Open an account for a player.
         */
        RegisterPlayer: {
            name: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "register_player";
        };
        /**
         * RejectAdjustment
         * @description Reject a proposal.
         */
        RejectAdjustment: {
            number: number;
            reason: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "reject_adjustment";
        };
        /**
         * ReplayStep
         * @description Narration of a step, and the round after it.
         */
        ReplayStep: {
            told: components["schemas"]["NarrationLine"][];
            view: components["schemas"]["RoundView"];
        };
        /**
         * ReportFailure
         * @description Report that a shuffler or automated shoe jammed, stopped or did not finish.
         */
        ReportFailure: {
            /** @enum {string} */
            device: "shuffler" | "shoe";
            /** @enum {null|string} */
            decision?: "void" | "play-on" | null;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "report_failure";
        };
        /**
         * ReportIrregularity
         * @description Report an irregularity.
         */
        ReportIrregularity: {
            /** @enum {string} */
            irregularity: "one_face_up_card" | "more_face_up_cards" | "card_drawn_in_error" | "wrong_number_of_cards" | "dealer_card_exposed" | "player_card_exposed" | "shuffler_failure" | "shoe_failure" | "cards_on_play_without_chips";
            /** @default 0 */
            position?: number;
            card?: number | string | null;
            /** @default 0 */
            place?: number;
            count?: number | null;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "report_irregularity";
        };
        /**
         * ReportLink
         * @description Report that the table's link to its meter is down, or up again.
         */
        ReportLink: {
            up: boolean;
            /** @default  */
            reason?: string;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "report_link";
        };
        /**
         * ResultsPage
         * @description Results by table and gaming day (one page), and the total of all.
         */
        ResultsPage: {
            days: components["schemas"]["TableDay"][];
            total: components["schemas"]["TableDay"];
            next: string | null;
        };
        /**
         * RevealSeed
         * @description Reveal the seed of a hash, after bets are closed (P40).
         */
        RevealSeed: {
            player: string;
            shuffle: number;
            seed: string;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "reveal_seed";
        };
        /**
         * ReviewedDecision
         * @description One decision, what it cost against the best one, and the value of each choice.
         */
        ReviewedDecision: {
            position: number;
            hand: string;
            up: string;
            ante: number;
            amount: number;
            chips: number;
            chose: string;
            cost: number;
            antes: string;
            verdict: string;
            advice: components["schemas"]["CoachAdvice"];
        };
        /**
         * RoundDetails
         * @description A finished round, replayed.
         */
        RoundDetails: {
            table: string;
            number: number;
            at: number;
            rulebook: string;
            title: string;
            steps: components["schemas"]["ReplayStep"][];
            commitment: string;
            proof: components["schemas"]["ExportedRound"] | null;
            plan: components["schemas"]["DealPlanMove"][];
            game: string;
        };
        /**
         * RoundResult
         * @description One round of a player, in cents.
         */
        RoundResult: {
            table: string;
            number: number;
            at: number;
            net: number;
            wagered: number;
            expected: number;
            sd: number;
        };
        /**
         * RoundResults
         * @description Rounds of a player, oldest first.
         */
        RoundResults: {
            rounds: components["schemas"]["RoundResult"][];
            notes: string[];
            next: string | null;
        };
        /**
         * RoundReview
         * @description A finished round, judged.
         */
        RoundReview: {
            table: string;
            number: number;
            at: number;
            void: boolean;
            wagered: number;
            result: components["schemas"]["LuckAndSkill"];
            decisions: components["schemas"]["ReviewedDecision"][];
            rulebook: string;
            edition: string;
            bonus: string | null;
        };
        /**
         * RoundSummary
         * @description A finished round in a list; players see only their own positions.
         */
        RoundSummary: {
            table: string;
            number: number;
            at: number;
            rulebook: string;
            void: string[];
            up: string | null;
            places: components["schemas"]["PositionSummary"][];
            net: number;
            wagered: number;
            proven: boolean;
        };
        /**
         * RoundSummaryListPage
         * @description One page of a list.
         */
        RoundSummaryListPage: {
            items: components["schemas"]["RoundSummary"][];
            next: string | null;
        };
        /**
         * RoundView
         * @description A round as one viewer sees it.
         */
        RoundView: {
            /** @enum {string} */
            phase: "betting" | "dealing" | "stub" | "deciding" | "settling" | "over" | "void";
            bets_open: boolean;
            places: components["schemas"]["PositionView"][];
            dealer: string[];
            up: string | null;
            extra: number;
            bonus: string[];
            burned: number;
            discarded: string[];
            due: components["schemas"]["NextStepView"] | null;
            wrong_count: number | null;
            deciding: number | null;
            award_awaited: number | null;
            undocumented: number[];
            moved: components["schemas"]["MoneyMovement"][];
            notes: components["schemas"]["IrregularityView"][];
            void: string[];
            racked: number[];
            rack: string[][] | null;
            dealer_hand: string | null;
        };
        /**
         * RuleStrategy
         * @description A strategy to memorise, and its exact results on an Ante of one unit.
         */
        RuleStrategy: {
            name: string;
            says: string;
            /** @enum {string} */
            otherwise: "fold" | "1x" | "2x" | "3x";
            rules: components["schemas"]["StrategyRule"][];
            house_edge: components["schemas"]["FigureValue"];
            element_of_risk: components["schemas"]["FigureValue"];
            average_wager: components["schemas"]["FigureValue"];
            cost: components["schemas"]["FigureValue"];
            decisions: {
                [key: string]: components["schemas"]["FigureValue"];
            };
        };
        /**
         * RulebookEntry
         * @description A rulebook in the list of all.
         */
        RulebookEntry: {
            id: string;
            name: string;
            authority: string;
            document: string;
            editions: string[];
            wagers: string[];
        };
        /**
         * RulebookIndex
         * @description A rulebook.
         */
        RulebookIndex: {
            id: string;
            name: string;
            edition: string;
            bonuses: string[];
        };
        /**
         * RulebookList
         * @description Every rulebook, in the order of the sources.
         */
        RulebookList: {
            rulebooks: components["schemas"]["RulebookEntry"][];
        };
        /**
         * RulebookRules
         * @description The rules of one rulebook in every edition.
         */
        RulebookRules: {
            id: string;
            name: string;
            authority: string;
            document: string;
            editions: string[];
            default_edition: string;
            pages: components["schemas"]["RulesPage"][];
        };
        /**
         * RulebookValue
         * @description What a rulebook says on a point; None if it says nothing.
         */
        RulebookValue: {
            value: string | null;
            clauses: string[];
        };
        /**
         * RulesDifference
         * @description A point on which other rulebooks differ from this one.
         */
        RulesDifference: {
            topic: string;
            section: string;
            here: components["schemas"]["RulesSentence"];
            elsewhere: components["schemas"]["OtherRules"][];
        };
        /**
         * RulesPage
         * @description The rules of one edition of a rulebook.
         */
        RulesPage: {
            edition: string;
            sections: components["schemas"]["RulesSection"][];
            wagers: components["schemas"]["WagerRules"][];
            ranking: components["schemas"]["HandRanking"];
            differences: components["schemas"]["RulesDifference"][];
        };
        /**
         * RulesSection
         * @description A part of the page.
         */
        RulesSection: {
            id: string;
            title: string;
            step: boolean;
            sentences: components["schemas"]["RulesSentence"][];
        };
        /**
         * RulesSentence
         * @description One sentence with the clauses behind it.
         */
        RulesSentence: {
            topic: string;
            text: string;
            clauses: string[];
        };
        /**
         * RulingEntry
         * @description How an unclear point is read (R ids), or what the system does where no source demands it (P ids).
         */
        RulingEntry: {
            id: string;
            title: string;
            clauses: string[];
            reading: string;
            question: string;
            overrules: string[];
            settings: {
                [key: string]: components["schemas"]["Setting"];
            };
            makes_void: boolean;
            carried_by?: string[];
            tests?: string[];
            sabotage?: components["schemas"]["SabotageResult"];
        };
        /**
         * RulingEntryListPage
         * @description One page of a list.
         */
        RulingEntryListPage: {
            items: components["schemas"]["RulingEntry"][];
            next: string | null;
        };
        /**
         * SabotageResult
         * @description Whether a clause's proof noticed altered rules; None where nothing that cites it was altered.
         */
        SabotageResult: {
            data: components["schemas"]["AlterationCounts"] | null;
            code: components["schemas"]["AlterationCounts"] | null;
        };
        /**
         * SecurityEntry
         * @description A note of the security log.
         */
        SecurityEntry: {
            at: number;
            by: string;
            what: string;
            reason: string;
            repeated: number;
            moment: string;
        };
        /**
         * SecurityEntryListPage
         * @description One page of a list.
         */
        SecurityEntryListPage: {
            items: components["schemas"]["SecurityEntry"][];
            next: string | null;
        };
        /**
         * SeedsView
         * @description The seeds of the next shuffle of the house (P40).
         */
        SeedsView: {
            shuffle: number;
            called: boolean;
            hashes: [
                string,
                string
            ][];
            revealed: string[];
        };
        /**
         * SelectSpot
         * @description Select the winning player's spot on a touch console.
         */
        SelectSpot: {
            position: number;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "select_spot";
        };
        /**
         * SensorView
         * @description One position's sensor and its light.
         */
        SensorView: {
            position: number;
            player: string;
            /** @enum {string} */
            light: "off" | "placed" | "registered";
        };
        /**
         * SetHand
         * @description Set a four-card hand, where players set their own (R27).
         */
        SetHand: {
            position: number;
            cards: (number | string)[] | string;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "set_hand";
        };
        /**
         * Setting
         * @description Policy setting: a choice that a ruling leaves to the operator.
         */
        Setting: {
            default: boolean | number | string;
            values: (boolean | number | string)[];
            /** @default [] */
            rulebooks: string[];
        };
        /**
         * ShuffleProof
         * @description Everything needed to repeat a round's shuffle.
         */
        ShuffleProof: {
            /** @default fourcard-shuffle-1 */
            algorithm: string;
            table: string;
            shuffle: number;
            round: number | null;
            commitment: string;
            secret: string;
            /** @default [] */
            seeds: [
                string,
                string
            ][];
            /** @default [] */
            withheld: [
                string,
                string
            ][];
            /** @default [] */
            cuts: number[];
            drawn: components["schemas"]["DrawnCards"][];
        };
        /**
         * SignPanel
         * @description Sign panel of one wager: a grid of odds with column heads.
         */
        SignPanel: {
            /** @enum {string} */
            wager: "ante" | "play" | "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy";
            title: string;
            limits: string;
            columns: string[];
            pays: {
                [key: string]: {
                    [key: string]: string;
                };
            };
            clauses: string[];
            /** @default  */
            note: string;
        };
        /**
         * SignedInPerson
         * @description The signed-in person.
         */
        SignedInPerson: {
            /** @enum {string} */
            kind: "staff" | "player";
            person: string;
            name: string;
            roles: ("dealer" | "floorperson" | "supervisor" | "executive" | "auditor" | "administrator")[];
        };
        /**
         * SkillAnswer
         * @description A player's decisions in periods of about as many decisions each, oldest first.
         */
        SkillAnswer: {
            periods: components["schemas"]["SkillPeriod"][];
        };
        /**
         * SkillGroup
         * @description A player's decisions with hands of one category and first rank.
         */
        SkillGroup: {
            category: string;
            rank: number;
            decisions: number;
            best: number;
            lost: number;
        };
        /**
         * SkillPeriod
         * @description Some of a player's decisions in a row.
         */
        SkillPeriod: {
            begin: number;
            end: number;
            groups: components["schemas"]["SkillGroup"][];
        };
        /**
         * SkipRequest
         * @description A player wants to see the rest at once, until the table next waits for a person.
         *
         *     With several players at a table it skips once each of them has asked.
         */
        SkipRequest: {
            key: string;
            /** @constant */
            skip: true;
        };
        /**
         * SpeedRequest
         * @description How fast a player wants to see what the dealer does; a table keeps the pace of its slowest player.
         */
        SpeedRequest: {
            key: string;
            /** @enum {string} */
            speed: "normal" | "fast" | "instant";
        };
        /**
         * SpotLook
         * @description Betting spot on the layout: its printed text, shape, colour and key.
         */
        SpotLook: {
            text: string;
            key: string;
            /**
             * @default box
             * @enum {string}
             */
            shape: "circle" | "ring" | "box" | "sensor";
            /** @default #d9c48a */
            colour: string;
        };
        /**
         * StaffMember
         * @description A member of staff; a dismissed one has no roles.
         */
        StaffMember: {
            person: string;
            name: string;
            roles: string[];
            password: boolean;
        };
        /**
         * StaffMemberListPage
         * @description One page of a list.
         */
        StaffMemberListPage: {
            items: components["schemas"]["StaffMember"][];
            next: string | null;
        };
        /**
         * StrategyData
         * @description The strategy chart of some terms: rows are kinds of hand, strongest first; columns are up cards.
         */
        StrategyData: {
            pays: {
                [key: string]: string;
            };
            ups: string[];
            hands: string[];
            strengths: [
                number,
                number
            ][];
            cells: components["schemas"]["ChartCell"][][];
            optimal: components["schemas"]["StrategyEdge"];
            chart: components["schemas"]["StrategyEdge"];
            memorise: components["schemas"]["RuleStrategy"][];
        };
        /**
         * StrategyEdge
         * @description What a way to play costs, on an Ante of one unit.
         */
        StrategyEdge: {
            house_edge: components["schemas"]["FigureValue"];
            element_of_risk: components["schemas"]["FigureValue"];
            average_wager: components["schemas"]["FigureValue"];
        };
        /**
         * StrategyResult
         * @description The result of a strategy, on an Ante of one unit.
         */
        StrategyResult: {
            name: string;
            says: string;
            ev_per_ante: components["schemas"]["FigureValue"];
            house_edge: components["schemas"]["FigureValue"];
            element_of_risk: components["schemas"]["FigureValue"];
            average_wager: components["schemas"]["FigureValue"];
            cost: components["schemas"]["FigureValue"];
            decisions: {
                [key: string]: components["schemas"]["FigureValue"];
            };
        };
        /**
         * StrategyResultListPage
         * @description One page of a list.
         */
        StrategyResultListPage: {
            items: components["schemas"]["StrategyResult"][];
            next: string | null;
        };
        /**
         * StrategyRule
         * @description One rule: a decision and the conditions under which it applies; those that it lacks are left out.
         */
        StrategyRule: {
            /** @enum {string} */
            bet: "fold" | "1x" | "2x" | "3x";
            at_least?: string | null;
            at_most?: string | null;
            up?: string | null;
            matching?: boolean | null;
            over?: boolean | null;
            /** @default  */
            says?: string;
        };
        /**
         * SubmissionText
         * @description A submission as TOML text.
         */
        SubmissionText: {
            text: string;
        };
        /**
         * SwapMachine
         * @description Replace a machine that keeps failing by its backup.
         */
        SwapMachine: {
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "swap_machine";
        };
        /**
         * SwipeCard
         * @description Swipe a supervisor's or an executive's card; the command's role says which.
         */
        SwipeCard: {
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "swipe_card";
        };
        /**
         * SwitchMethod
         * @description Change the method of dealing and shuffling, after a failed device was taken care of.
         */
        SwitchMethod: {
            /** @enum {string} */
            method: "shoe" | "hand" | "automated" | "manual";
            /** @default false */
            shuffle_by_hand?: boolean;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "switch_method";
        };
        /**
         * TableChange
         * @description What changed at a table since the message before, for a client that keeps the table.
         *
         *     Replace `version`, `sequence` and `told`, then set each value at its path, in order.
         */
        TableChange: {
            /**
             * @default change
             * @constant
             */
            kind: "change";
            from: number;
            version: number;
            sequence: number;
            told: components["schemas"]["NarrationLine"][];
            set: [
                (string | number)[],
                unknown
            ][];
        };
        /**
         * TableChips
         * @description Chips and seats of a player at one table.
         */
        TableChips: {
            table: string;
            title: string;
            chips: number;
            wagered: number;
            positions: number[];
            leaving: boolean;
        };
        /**
         * TableConfig
         * @description Configuration of a table: rules, positions, limits, chips; it stays while the table is installed.
         */
        TableConfig: {
            table: string;
            title: string;
            rulebook: string;
            rulebook_name: string;
            edition: string;
            game: string;
            positions: number;
            per_player: number | null;
            method: string;
            chip: number;
            chips: number[];
            spots: components["schemas"]["BettingSpot"][];
            labels: {
                [key: string]: string;
            };
            play: components["schemas"]["PlayRule"];
            sign: components["schemas"]["SignPanel"][];
            bonus: string | null;
            meter: string | null;
            /** @enum {null|string} */
            console: "keypad" | "touch" | null;
            sets_hands: boolean;
        };
        /**
         * TableDay
         * @description One table on one gaming day, or a total of several, in cents.
         */
        TableDay: {
            table: string;
            day: string;
            rounds: number;
            voids: number;
            opening: number;
            fills: number;
            credits: number;
            closing: number;
            drop: number;
            collected: number;
            bought: number;
            cashed: number;
            out_before: number;
            out_after: number;
            tray_variance: number;
            drop_variance: number;
            win: number;
            hold: components["schemas"]["FigureValue"] | null;
            win_of_wagers: number;
            counts: components["schemas"]["ChipCount"][];
            wagers: components["schemas"]["WagerResult"][];
            dealers: components["schemas"]["DealerResult"][];
        };
        /**
         * TableMessage
         * @description A table as one person sees it now.
         */
        TableMessage: {
            /**
             * @default table
             * @constant
             */
            kind: "table";
            table: string;
            sequence: number;
            view: components["schemas"]["TableView"];
            you: components["schemas"]["ViewerSeat"] | null;
            chances: components["schemas"]["AllowedActions"];
            meter: number | null;
            told: components["schemas"]["NarrationLine"][];
            waiting: components["schemas"]["WaitingView"] | null;
            commitment: string;
            console: components["schemas"]["ConsoleMessage"] | null;
            /** @default [] */
            sitting_out: number[];
            seeds: components["schemas"]["SeedsView"] | null;
            /** @default 0 */
            version: number;
        };
        /**
         * TableStatus
         * @description The status of one table.
         */
        TableStatus: {
            table: string;
            submission: string;
            rulebook: string;
            edition: string;
            game: string;
            cards: string;
            phase: string;
            round: number;
            in_round: string;
            seats: {
                [key: string]: string;
            };
            decks: components["schemas"]["DeckStatus"][];
            count_in: number | null;
            count_clauses: string[];
            tray: number;
            drop: number;
            meter: components["schemas"]["MeterBalance"] | null;
        };
        /**
         * TableStatusListPage
         * @description One page of a list.
         */
        TableStatusListPage: {
            items: components["schemas"]["TableStatus"][];
            next: string | null;
        };
        /**
         * TableSummary
         * @description A table in the list of tables.
         */
        TableSummary: {
            table: string;
            title: string;
            rulebook: string;
            rulebook_name: string;
            edition: string;
            phase: string;
            round: number;
            positions: number;
            seats: {
                [key: string]: string;
            };
            limits: {
                [key: string]: components["schemas"]["LimitsAnswer"];
            };
            wagers: ("ante" | "play" | "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy")[];
            labels: {
                [key: string]: string;
            };
            meter: components["schemas"]["DisplayedMeter"] | null;
            jackpot_waits: boolean;
            /** @default false */
            last_hand: boolean;
        };
        /**
         * TableSummaryListPage
         * @description One page of a list.
         */
        TableSummaryListPage: {
            items: components["schemas"]["TableSummary"][];
            next: string | null;
        };
        /**
         * TableView
         * @description A table as one viewer sees it.
         */
        TableView: {
            /** @enum {string} */
            phase: "closed" | "open" | "idle";
            game: string;
            decks: components["schemas"]["DeckView"][];
            active: number;
            seats: {
                [key: string]: string;
            };
            number: number;
            method: string;
            failed: ("shuffler" | "shoe")[];
            away: ("shuffler" | "shoe")[];
            round: components["schemas"]["RoundView"] | null;
            last: components["schemas"]["RoundView"] | null;
            /** @default false */
            last_hand: boolean;
        };
        /**
         * TakeSeat
         * @description Sit down at a position.
         */
        TakeSeat: {
            position: number;
            player: string;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "take_seat";
        };
        /**
         * TrainerBonus
         * @description One table of the Automatic Bonus, its best row first.
         */
        TrainerBonus: {
            id: string;
            rows: components["schemas"]["TrainerBonusRow"][];
        };
        /**
         * TrainerBonusRow
         * @description One row of a bonus table, and the hands that win it.
         */
        TrainerBonusRow: {
            row: string;
            label: string;
            pays: string;
            value: string;
            from: number;
            to: number;
        };
        /**
         * TrainerGame
         * @description The base game of one edition of a rulebook, on an Ante of one unit.
         */
        TrainerGame: {
            id: string;
            edition: string;
            name: string;
            ante: string;
            play: string;
            ties_win: boolean;
            least: number;
            most: number;
            bonuses: components["schemas"]["TrainerBonus"][];
            default_bonus: string | null;
        };
        /**
         * TrainerGames
         * @description Every game that differs, in the order of the rulebooks, and what decisions are called by their cost.
         */
        TrainerGames: {
            games: components["schemas"]["TrainerGame"][];
            /**
             * @default [
             *       {
             *         "name": "best",
             *         "most": "0/1"
             *       },
             *       {
             *         "name": "inaccuracy",
             *         "most": "1/10"
             *       },
             *       {
             *         "name": "mistake",
             *         "most": "1/2"
             *       },
             *       {
             *         "name": "blunder",
             *         "most": null
             *       }
             *     ]
             */
            verdicts: components["schemas"]["Verdict"][];
        };
        /**
         * TreatAsAbandoned
         * @description Treat the wagers of a player who left as lost (R36).
         */
        TreatAsAbandoned: {
            position: number;
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "treat_as_abandoned";
        };
        /**
         * TurnKey
         * @description Turn the supervisor's key.
         */
        TurnKey: {
            /** @enum {string} */
            to: "run" | "jph";
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "turn_key";
        };
        /**
         * Verdict
         * @description One verdict, and the most that a decision of it costs.
         */
        Verdict: {
            name: string;
            most: string | null;
        };
        /**
         * ViewerSeat
         * @description The viewing player at this table.
         */
        ViewerSeat: {
            player: string;
            positions: number[];
            chips: number;
            account: number;
            ready: boolean;
            seed: string;
            /** @default false */
            leaving: boolean;
            /** @default false */
            sits_out: boolean;
            /** @default  */
            seed_hash: string;
        };
        /**
         * VisitorAnswer
         * @description The current visitor.
         */
        VisitorAnswer: {
            /** @enum {string} */
            mode: "local" | "house";
            who: components["schemas"]["SignedInPerson"] | null;
            account: number | null;
            /** @default [] */
            stacks: components["schemas"]["TableChips"][];
            bots: number | null;
        };
        /**
         * WagerIndex
         * @description One wager, the parameters of its odds, and its paytables.
         */
        WagerIndex: {
            wager: string;
            label: string;
            options: string[];
            rows: string[];
            rows_of_five: string[];
            tables: components["schemas"]["PrintedPaytable"][];
            form: components["schemas"]["OddsOption"][];
        };
        /**
         * WagerOutcome
         * @description One possible outcome of a wager.
         */
        WagerOutcome: {
            hand: string;
            count: number;
            of: number;
            pays: string | null;
            net: components["schemas"]["FigureValue"];
            decision?: string;
            result?: string;
            bonus?: string;
            beaten?: string;
        };
        /**
         * WagerResult
         * @description The result of one wager in cents, without void rounds.
         */
        WagerResult: {
            /** @enum {string} */
            wager: "ante" | "play" | "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy";
            handle: number;
            taken: number;
            paid: number;
            by_meter: number;
            win: number;
            hold: components["schemas"]["FigureValue"] | null;
        };
        /**
         * WagerRules
         * @description One wager: what it is and what it pays.
         */
        WagerRules: {
            wager: string;
            label: string;
            offered: components["schemas"]["RulesSentence"] | null;
            sentences: components["schemas"]["RulesSentence"][];
            grids: components["schemas"]["PayGrid"][];
        };
        /**
         * WaitingView
         * @description What the table waits for, at which position, and the milliseconds left if limited.
         */
        WaitingView: {
            /** @enum {string} */
            for: "wagers" | "ready" | "decision" | "seeds" | "jackpot" | "document" | "players" | "staff";
            position: number;
            left: number | null;
            role: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            task: string;
        };
        /**
         * WholeTableRequest
         * @description A client has missed a change and asks for the whole table, with the narration of its round.
         */
        WholeTableRequest: {
            key: string;
            /** @constant */
            whole: true;
        };
        /**
         * WinEntry
         * @description A win and its status.
         */
        WinEntry: {
            meter: string;
            number: number;
            at: number;
            moment: string;
            table: string;
            round: number;
            position: number;
            player: string;
            cards: string;
            row: string;
            amount_cents: number;
            from_meter_cents: number;
            from_tray_cents: number;
            meter_to_tray_cents: number;
            shortfall_cents: number;
            whole: boolean;
            seeded_cents: number;
            from_reserve_units: number;
            before_cents: number;
            after_cents: number;
            marked_by: string;
            confirmed_by: string;
            confirmed_as: string;
            /** @enum {string} */
            state: "logged" | "paid" | "backed out" | "void";
            adjusted_at: number | null;
            undone_at: number | null;
            undone_by: string;
            adjustment: number;
            reason: string;
            sequence: number;
            hash: string;
        };
        /**
         * WinEntryListPage
         * @description One page of a list.
         */
        WinEntryListPage: {
            items: components["schemas"]["WinEntry"][];
            next: string | null;
        };
        /**
         * Withdraw
         * @description Pay money out of a player's account at the cage.
         */
        Withdraw: {
            cents: number;
            /** @default  */
            by?: string;
            /** @default administrator */
            role?: ("player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive") | ("auditor" | "administrator");
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "withdraw";
        };
        /**
         * WithdrawWager
         * @description Withdraw a wager while that is still allowed.
         */
        WithdrawWager: {
            position: number;
            /** @enum {string} */
            wager: "ante" | "play" | "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy";
            /** @default  */
            by?: string;
            /**
             * @default dealer
             * @enum {string}
             */
            role?: "player" | "dealer" | "floorperson" | "supervisor" | "casino-supervisor" | "executive";
            /** @default 0 */
            at?: number;
            /** @default  */
            key?: string;
            /** @constant */
            kind: "withdraw_wager";
        };
        /**
         * WorstLoss
         * @description Upper bound of the house's loss in one round, in cents.
         */
        WorstLoss: {
            total: number | null;
            by_wager: {
                [key: string]: number;
            };
            without_maximum: ("ante" | "play" | "automatic_bonus" | "aces_up" | "bad_beat" | "six_card" | "cover_all" | "progressive" | "envy")[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AccountBalance = components['schemas']['AccountBalance'];
export type AccuracyAnswer = components['schemas']['AccuracyAnswer'];
export type AllowedActions = components['schemas']['AllowedActions'];
export type AllowedPlays = components['schemas']['AllowedPlays'];
export type AlterationCounts = components['schemas']['AlterationCounts'];
export type ApproveAdjustment = components['schemas']['ApproveAdjustment'];
export type BalancePage = components['schemas']['BalancePage'];
export type BasisFigure = components['schemas']['BasisFigure'];
export type BeginRound = components['schemas']['BeginRound'];
export type BettingSpot = components['schemas']['BettingSpot'];
export type BotsChoice = components['schemas']['BotsChoice'];
export type BringDeck = components['schemas']['BringDeck'];
export type BringDevice = components['schemas']['BringDevice'];
export type BuyIn = components['schemas']['BuyIn'];
export type CallOff = components['schemas']['CallOff'];
export type CashOut = components['schemas']['CashOut'];
export type CellAccuracy = components['schemas']['CellAccuracy'];
export type CellPlace = components['schemas']['CellPlace'];
export type ChangeRoles = components['schemas']['ChangeRoles'];
export type ChangeTerms = components['schemas']['ChangeTerms'];
export type ChartCell = components['schemas']['ChartCell'];
export type ChartExample = components['schemas']['ChartExample'];
export type ChartRule = components['schemas']['ChartRule'];
export type CheckFinding = components['schemas']['CheckFinding'];
export type CheckReport = components['schemas']['CheckReport'];
export type ChipCount = components['schemas']['ChipCount'];
export type ChoiceAnswer = components['schemas']['ChoiceAnswer'];
export type ChooseSeed = components['schemas']['ChooseSeed'];
export type ClauseDetails = components['schemas']['ClauseDetails'];
export type ClauseEntry = components['schemas']['ClauseEntry'];
export type ClauseEntryListPage = components['schemas']['ClauseEntryListPage'];
export type ClauseText = components['schemas']['ClauseText'];
export type ClauseTexts = components['schemas']['ClauseTexts'];
export type ClockReport = components['schemas']['ClockReport'];
export type CloseLink = components['schemas']['CloseLink'];
export type CloseTable = components['schemas']['CloseTable'];
export type ClosestFigure = components['schemas']['ClosestFigure'];
export type CoachAdvice = components['schemas']['CoachAdvice'];
export type CoachAnswer = components['schemas']['CoachAnswer'];
export type CollectDrop = components['schemas']['CollectDrop'];
export type CommandAccepted = components['schemas']['CommandAccepted'];
export type CommandRefused = components['schemas']['CommandRefused'];
export type CommitSeed = components['schemas']['CommitSeed'];
export type CompleteDocument = components['schemas']['CompleteDocument'];
export type ConfirmAward = components['schemas']['ConfirmAward'];
export type ConfirmClock = components['schemas']['ConfirmClock'];
export type ConsoleMessage = components['schemas']['ConsoleMessage'];
export type ConsoleStepView = components['schemas']['ConsoleStepView'];
export type CorrectPayment = components['schemas']['CorrectPayment'];
export type CountTray = components['schemas']['CountTray'];
export type Credentials = components['schemas']['Credentials'];
export type CreditTray = components['schemas']['CreditTray'];
export type DataVersion = components['schemas']['DataVersion'];
export type Deal = components['schemas']['Deal'];
export type DealPlanMove = components['schemas']['DealPlanMove'];
export type DealerCounts = components['schemas']['DealerCounts'];
export type DealerResult = components['schemas']['DealerResult'];
export type DealingRules = components['schemas']['DealingRules'];
export type DecisionsAnswer = components['schemas']['DecisionsAnswer'];
export type DeckStatus = components['schemas']['DeckStatus'];
export type DeckView = components['schemas']['DeckView'];
export type Deposit = components['schemas']['Deposit'];
export type DifferencePoint = components['schemas']['DifferencePoint'];
export type DifferencePointListPage = components['schemas']['DifferencePointListPage'];
export type DismissStaff = components['schemas']['DismissStaff'];
export type DisplayedMeter = components['schemas']['DisplayedMeter'];
export type DrawnCards = components['schemas']['DrawnCards'];
export type Duty = components['schemas']['Duty'];
export type EnterReading = components['schemas']['EnterReading'];
export type EveryDealing = components['schemas']['EveryDealing'];
export type Example = components['schemas']['Example'];
export type ExampleListPage = components['schemas']['ExampleListPage'];
export type ExampleText = components['schemas']['ExampleText'];
export type ExportedRound = components['schemas']['ExportedRound'];
export type ExportedSeat = components['schemas']['ExportedSeat'];
export type FigureValue = components['schemas']['FigureValue'];
export type FillTray = components['schemas']['FillTray'];
export type Fold = components['schemas']['Fold'];
export type FoldResult = components['schemas']['FoldResult'];
export type GoIdle = components['schemas']['GoIdle'];
export type GroupBalance = components['schemas']['GroupBalance'];
export type HandRanking = components['schemas']['HandRanking'];
export type Health = components['schemas']['Health'];
export type HireStaff = components['schemas']['HireStaff'];
export type InstallTable = components['schemas']['InstallTable'];
export type IrregularityView = components['schemas']['IrregularityView'];
export type JudgeCount = components['schemas']['JudgeCount'];
export type KeyedAccountCommand = components['schemas']['KeyedAccountCommand'];
export type KeyedMeterCommand = components['schemas']['KeyedMeterCommand'];
export type KeyedStaffCommand = components['schemas']['KeyedStaffCommand'];
export type KeyedTableCommand = components['schemas']['KeyedTableCommand'];
export type LastHand = components['schemas']['LastHand'];
export type LeaveSeat = components['schemas']['LeaveSeat'];
export type LeaveTable = components['schemas']['LeaveTable'];
export type LimitsAnswer = components['schemas']['LimitsAnswer'];
export type LiveMessage = components['schemas']['LiveMessage'];
export type LiveRequest = components['schemas']['LiveRequest'];
export type LoggedAward = components['schemas']['LoggedAward'];
export type LuckAndSkill = components['schemas']['LuckAndSkill'];
export type MarkedHand = components['schemas']['MarkedHand'];
export type MeterBalance = components['schemas']['MeterBalance'];
export type MeterCycleReport = components['schemas']['MeterCycleReport'];
export type MeterProposal = components['schemas']['MeterProposal'];
export type MeterRow = components['schemas']['MeterRow'];
export type MeterStatus = components['schemas']['MeterStatus'];
export type MeterStatusListPage = components['schemas']['MeterStatusListPage'];
export type Mistake = components['schemas']['Mistake'];
export type MistakeListPage = components['schemas']['MistakeListPage'];
export type MoneyMovement = components['schemas']['MoneyMovement'];
export type NamedStrategy = components['schemas']['NamedStrategy'];
export type NarrationLine = components['schemas']['NarrationLine'];
export type NewPassword = components['schemas']['NewPassword'];
export type NextMistake = components['schemas']['NextMistake'];
export type NextStepView = components['schemas']['NextStepView'];
export type OddsIndex = components['schemas']['OddsIndex'];
export type OddsOption = components['schemas']['OddsOption'];
export type OddsReport = components['schemas']['OddsReport'];
export type OfferedCommand = components['schemas']['OfferedCommand'];
export type OpenLink = components['schemas']['OpenLink'];
export type OpenTable = components['schemas']['OpenTable'];
export type OrderRecut = components['schemas']['OrderRecut'];
export type OrderShuffle = components['schemas']['OrderShuffle'];
export type OtherRules = components['schemas']['OtherRules'];
export type OwnPaytable = components['schemas']['OwnPaytable'];
export type PayAward = components['schemas']['PayAward'];
export type PayColumn = components['schemas']['PayColumn'];
export type PayGrid = components['schemas']['PayGrid'];
export type PayRow = components['schemas']['PayRow'];
export type Payment = components['schemas']['Payment'];
export type Perform = components['schemas']['Perform'];
export type PinnedGame = components['schemas']['PinnedGame'];
export type PlaceWager = components['schemas']['PlaceWager'];
export type PlaceWagers = components['schemas']['PlaceWagers'];
export type Play = components['schemas']['Play'];
export type PlayRule = components['schemas']['PlayRule'];
export type PlayerSession = components['schemas']['PlayerSession'];
export type PlayerSessionListPage = components['schemas']['PlayerSessionListPage'];
export type PositionSummary = components['schemas']['PositionSummary'];
export type PositionView = components['schemas']['PositionView'];
export type PracticeHand = components['schemas']['PracticeHand'];
export type Prepare = components['schemas']['Prepare'];
export type Press = components['schemas']['Press'];
export type PressHand = components['schemas']['PressHand'];
export type PrintedFigure = components['schemas']['PrintedFigure'];
export type PrintedPaytable = components['schemas']['PrintedPaytable'];
export type Problem = components['schemas']['Problem'];
export type ProposeAdjustment = components['schemas']['ProposeAdjustment'];
export type ProposeBackOut = components['schemas']['ProposeBackOut'];
export type ProtocolError = components['schemas']['ProtocolError'];
export type PublishedAudit = components['schemas']['PublishedAudit'];
export type PublishedComparison = components['schemas']['PublishedComparison'];
export type RankedHand = components['schemas']['RankedHand'];
export type ReadyMessage = components['schemas']['ReadyMessage'];
export type ReadyRequest = components['schemas']['ReadyRequest'];
export type RecentWin = components['schemas']['RecentWin'];
export type RefusalBody = components['schemas']['RefusalBody'];
export type RegisterPlayer = components['schemas']['RegisterPlayer'];
export type RejectAdjustment = components['schemas']['RejectAdjustment'];
export type ReplayStep = components['schemas']['ReplayStep'];
export type ReportFailure = components['schemas']['ReportFailure'];
export type ReportIrregularity = components['schemas']['ReportIrregularity'];
export type ReportLink = components['schemas']['ReportLink'];
export type ResultsPage = components['schemas']['ResultsPage'];
export type RevealSeed = components['schemas']['RevealSeed'];
export type ReviewedDecision = components['schemas']['ReviewedDecision'];
export type RoundDetails = components['schemas']['RoundDetails'];
export type RoundResult = components['schemas']['RoundResult'];
export type RoundResults = components['schemas']['RoundResults'];
export type RoundReview = components['schemas']['RoundReview'];
export type RoundSummary = components['schemas']['RoundSummary'];
export type RoundSummaryListPage = components['schemas']['RoundSummaryListPage'];
export type RoundView = components['schemas']['RoundView'];
export type RuleStrategy = components['schemas']['RuleStrategy'];
export type RulebookEntry = components['schemas']['RulebookEntry'];
export type RulebookIndex = components['schemas']['RulebookIndex'];
export type RulebookList = components['schemas']['RulebookList'];
export type RulebookRules = components['schemas']['RulebookRules'];
export type RulebookValue = components['schemas']['RulebookValue'];
export type RulesDifference = components['schemas']['RulesDifference'];
export type RulesPage = components['schemas']['RulesPage'];
export type RulesSection = components['schemas']['RulesSection'];
export type RulesSentence = components['schemas']['RulesSentence'];
export type RulingEntry = components['schemas']['RulingEntry'];
export type RulingEntryListPage = components['schemas']['RulingEntryListPage'];
export type SabotageResult = components['schemas']['SabotageResult'];
export type SecurityEntry = components['schemas']['SecurityEntry'];
export type SecurityEntryListPage = components['schemas']['SecurityEntryListPage'];
export type SeedsView = components['schemas']['SeedsView'];
export type SelectSpot = components['schemas']['SelectSpot'];
export type SensorView = components['schemas']['SensorView'];
export type SetHand = components['schemas']['SetHand'];
export type Setting = components['schemas']['Setting'];
export type ShuffleProof = components['schemas']['ShuffleProof'];
export type SignPanel = components['schemas']['SignPanel'];
export type SignedInPerson = components['schemas']['SignedInPerson'];
export type SkillAnswer = components['schemas']['SkillAnswer'];
export type SkillGroup = components['schemas']['SkillGroup'];
export type SkillPeriod = components['schemas']['SkillPeriod'];
export type SkipRequest = components['schemas']['SkipRequest'];
export type SpeedRequest = components['schemas']['SpeedRequest'];
export type SpotLook = components['schemas']['SpotLook'];
export type StaffMember = components['schemas']['StaffMember'];
export type StaffMemberListPage = components['schemas']['StaffMemberListPage'];
export type StrategyData = components['schemas']['StrategyData'];
export type StrategyEdge = components['schemas']['StrategyEdge'];
export type StrategyResult = components['schemas']['StrategyResult'];
export type StrategyResultListPage = components['schemas']['StrategyResultListPage'];
export type StrategyRule = components['schemas']['StrategyRule'];
export type SubmissionText = components['schemas']['SubmissionText'];
export type SwapMachine = components['schemas']['SwapMachine'];
export type SwipeCard = components['schemas']['SwipeCard'];
export type SwitchMethod = components['schemas']['SwitchMethod'];
export type TableChange = components['schemas']['TableChange'];
export type TableChips = components['schemas']['TableChips'];
export type TableConfig = components['schemas']['TableConfig'];
export type TableDay = components['schemas']['TableDay'];
export type TableMessage = components['schemas']['TableMessage'];
export type TableStatus = components['schemas']['TableStatus'];
export type TableStatusListPage = components['schemas']['TableStatusListPage'];
export type TableSummary = components['schemas']['TableSummary'];
export type TableSummaryListPage = components['schemas']['TableSummaryListPage'];
export type TableView = components['schemas']['TableView'];
export type TakeSeat = components['schemas']['TakeSeat'];
export type TrainerBonus = components['schemas']['TrainerBonus'];
export type TrainerBonusRow = components['schemas']['TrainerBonusRow'];
export type TrainerGame = components['schemas']['TrainerGame'];
export type TrainerGames = components['schemas']['TrainerGames'];
export type TreatAsAbandoned = components['schemas']['TreatAsAbandoned'];
export type TurnKey = components['schemas']['TurnKey'];
export type Verdict = components['schemas']['Verdict'];
export type ViewerSeat = components['schemas']['ViewerSeat'];
export type VisitorAnswer = components['schemas']['VisitorAnswer'];
export type WagerIndex = components['schemas']['WagerIndex'];
export type WagerOutcome = components['schemas']['WagerOutcome'];
export type WagerResult = components['schemas']['WagerResult'];
export type WagerRules = components['schemas']['WagerRules'];
export type WaitingView = components['schemas']['WaitingView'];
export type WholeTableRequest = components['schemas']['WholeTableRequest'];
export type WinEntry = components['schemas']['WinEntry'];
export type WinEntryListPage = components['schemas']['WinEntryListPage'];
export type Withdraw = components['schemas']['Withdraw'];
export type WithdrawWager = components['schemas']['WithdrawWager'];
export type WorstLoss = components['schemas']['WorstLoss'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
