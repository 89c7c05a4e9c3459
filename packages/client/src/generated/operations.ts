/** Operations that software can call, by method and path. Made by `npm run generate`; changes here are lost. */
export interface Operations {
  /** Addresses that are notified: one for each application that has one, and those of thresholds */
  'GET /callback-endpoints': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-endpointId" | "endpointId" | undefined;
      customerId?: string | undefined;
      kind?: "application" | "alert" | undefined;
      appId?: string | undefined;
    } | undefined;
    result: {
      items: ({
        endpointId: string;
        kind: "application" | "alert";
        appId: string | null;
        appName: string | null;
        url: string;
        state: "unverified" | "enabled" | "disabled";
        verifyTime: string | null;
        failingSince: string | null;
        nextTryTime: string | null;
        disableTime: string | null;
        disabledReason: "failing" | "gone" | null;
        waiting: number;
        batched: boolean;
        events: ("message.status" | "message.inbound" | "task.status" | "template.status" | "sender.status" | "balance.status" | "alert")[];
        lastAttempt: {
          time: string;
          status: number | null;
          ms: number;
          error: "addressRefused" | "nameNotFound" | "unreachable" | "tls" | "timeout" | "closed" | "redirect" | "gone" | "status" | "challenge" | null;
          response: string | null;
        } | null;
        secrets: ({
          secretId: string;
          hint: string;
          createTime: string;
          expireTime: string | null;
        })[];
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** One address, how it stands and its last try */
  'GET /callback-endpoints/{endpointId}': {
    params: {
      endpointId: string;
    };
    result: {
      endpointId: string;
      kind: "application" | "alert";
      appId: string | null;
      appName: string | null;
      url: string;
      state: "unverified" | "enabled" | "disabled";
      verifyTime: string | null;
      failingSince: string | null;
      nextTryTime: string | null;
      disableTime: string | null;
      disabledReason: "failing" | "gone" | null;
      waiting: number;
      batched: boolean;
      events: ("message.status" | "message.inbound" | "task.status" | "template.status" | "sender.status" | "balance.status" | "alert")[];
      lastAttempt: {
        time: string;
        status: number | null;
        ms: number;
        error: "addressRefused" | "nameNotFound" | "unreachable" | "tls" | "timeout" | "closed" | "redirect" | "gone" | "status" | "challenge" | null;
        response: string | null;
      } | null;
      secrets: ({
        secretId: string;
        hint: string;
        createTime: string;
        expireTime: string | null;
      })[];
    };
  };
  /** Send again what happened since a time, in its order */
  'POST /callback-endpoints/{endpointId}/replay': {
    params: {
      endpointId: string;
    };
    body: {
      from: string;
      which?: "undelivered" | "all" | undefined;
    };
    result: {
      count: number;
    };
  };
  /** Events that were delivered or are waiting, newest first */
  'GET /callbacks': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-time" | "time" | undefined;
      customerId?: string | undefined;
      /** For people of customers: what was sent with test keys, and nothing else. */
      test?: "1" | undefined;
      endpointId?: string | undefined;
      appId?: string | undefined;
      type?: "message.status" | "message.inbound" | "task.status" | "template.status" | "sender.status" | "balance.status" | "alert" | "test" | undefined;
      state?: "waiting" | "delivered" | "givenUp" | undefined;
      messageId?: string | undefined;
      from?: string | undefined;
      to?: string | undefined;
    } | undefined;
    result: {
      items: ({
        eventId: string;
        time: string;
        type: "message.status" | "message.inbound" | "task.status" | "template.status" | "sender.status" | "balance.status" | "alert" | "test";
        state: "waiting" | "delivered" | "givenUp";
        endpointId: string;
        kind: "application" | "alert";
        appId: string | null;
        appName: string | null;
        url: string;
        messageId: string | null;
        clientStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | null;
        thresholdId: string | null;
        subjectId: string | null;
        attempts: number;
        lastTime: string | null;
        lastStatus: number | null;
        lastError: "addressRefused" | "nameNotFound" | "unreachable" | "tls" | "timeout" | "closed" | "redirect" | "gone" | "status" | "challenge" | null;
        nextTryTime: string | null;
        deliverTime: string | null;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** One event with its body and its tries */
  'GET /callbacks/{eventId}': {
    params: {
      eventId: string;
    };
    query?: {
      /** For people of customers: what was sent with test keys, and nothing else. */
      test?: "1" | undefined;
    } | undefined;
    result: {
      eventId: string;
      time: string;
      type: "message.status" | "message.inbound" | "task.status" | "template.status" | "sender.status" | "balance.status" | "alert" | "test";
      state: "waiting" | "delivered" | "givenUp";
      endpointId: string;
      kind: "application" | "alert";
      appId: string | null;
      appName: string | null;
      url: string;
      messageId: string | null;
      clientStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | null;
      thresholdId: string | null;
      subjectId: string | null;
      attempts: number;
      lastTime: string | null;
      lastStatus: number | null;
      lastError: "addressRefused" | "nameNotFound" | "unreachable" | "tls" | "timeout" | "closed" | "redirect" | "gone" | "status" | "challenge" | null;
      nextTryTime: string | null;
      deliverTime: string | null;
      body: string;
      tries: ({
        time: string;
        status: number | null;
        ms: number;
        error: "addressRefused" | "nameNotFound" | "unreachable" | "tls" | "timeout" | "closed" | "redirect" | "gone" | "status" | "challenge" | null;
        response: string | null;
      })[];
    };
  };
  /** Send an event again now, delivered or not */
  'POST /callbacks/{eventId}/retry': {
    params: {
      eventId: string;
    };
    query?: {
      /** For people of customers: what was sent with test keys, and nothing else. */
      test?: "1" | undefined;
    } | undefined;
    result: {
      eventId: string;
      time: string;
      type: "message.status" | "message.inbound" | "task.status" | "template.status" | "sender.status" | "balance.status" | "alert" | "test";
      state: "waiting" | "delivered" | "givenUp";
      endpointId: string;
      kind: "application" | "alert";
      appId: string | null;
      appName: string | null;
      url: string;
      messageId: string | null;
      clientStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | null;
      thresholdId: string | null;
      subjectId: string | null;
      attempts: number;
      lastTime: string | null;
      lastStatus: number | null;
      lastError: "addressRefused" | "nameNotFound" | "unreachable" | "tls" | "timeout" | "closed" | "redirect" | "gone" | "status" | "challenge" | null;
      nextTryTime: string | null;
      deliverTime: string | null;
    };
  };
  /** Templates */
  'GET /templates': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      customerId?: string | undefined;
      search?: string | undefined;
      appId?: string | undefined;
      smsType?: string | undefined;
      auditStatus?: string | undefined;
      sendable?: "1" | undefined;
      sort?: "-updateTime" | "updateTime" | "templateName" | undefined;
    } | undefined;
    result: {
      items: ({
        templateId: string;
        templateName: string;
        smsType: 1 | 2 | 3;
        content: string;
        auditStatus: 0 | 1 | 2 | 3;
        auditReason: string | null;
        auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
        auditSpan: {
          from: number;
          to: number;
        } | null;
        appId: string;
        appName: string;
        version: number;
        editVersion: number;
        servingVersion: number | null;
        variableCount: number;
        createTime: string;
        updateTime: string;
        expectedTime: string | null;
        expectedDelay: {
          closed: boolean;
          holidays: ({
            day: string;
            name: string;
            nameZh: string;
          })[];
        } | null;
        usage?: {
          taskCount: number;
          acceptedCount: number;
          deliveredCount: number;
          undeliveredCount: number;
          unknownCount: number;
          lastTime: string | null;
        } | undefined;
        operator?: string | undefined;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Add a template; it waits for review unless exempted */
  'POST /templates': {
    body: {
      templateName: string;
      smsType: 1 | 2 | 3;
      appId: string;
      content: string;
    };
    result: {
      templateId: string;
      templateName: string;
      smsType: 1 | 2 | 3;
      content: string;
      auditStatus: 0 | 1 | 2 | 3;
      auditReason: string | null;
      auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
      auditSpan: {
        from: number;
        to: number;
      } | null;
      appId: string;
      appName: string;
      version: number;
      editVersion: number;
      servingVersion: number | null;
      variableCount: number;
      createTime: string;
      updateTime: string;
      expectedTime: string | null;
      expectedDelay: {
        closed: boolean;
        holidays: ({
          day: string;
          name: string;
          nameZh: string;
        })[];
      } | null;
      usage?: {
        taskCount: number;
        acceptedCount: number;
        deliveredCount: number;
        undeliveredCount: number;
        unknownCount: number;
        lastTime: string | null;
      } | undefined;
      operator?: string | undefined;
    };
  };
  /** What the rules of texts go by besides the text: the editor applies the same as the server */
  'GET /templates/rules': {
    result: {
      optOutNumber: string | null;
      prohibited: ({
        term: string;
        lang: "zh" | "en" | "fil";
        category: "financial" | "realEstate" | "immigrationPolitics" | "pornographic" | "violent";
        level: "block" | "flag";
        exempt: string[];
      })[];
    };
  };
  /** One template with its versions, newest first */
  'GET /templates/{templateId}': {
    params: {
      templateId: string;
    };
    result: {
      templateId: string;
      templateName: string;
      smsType: 1 | 2 | 3;
      content: string;
      auditStatus: 0 | 1 | 2 | 3;
      auditReason: string | null;
      auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
      auditSpan: {
        from: number;
        to: number;
      } | null;
      appId: string;
      appName: string;
      version: number;
      editVersion: number;
      servingVersion: number | null;
      variableCount: number;
      createTime: string;
      updateTime: string;
      expectedTime: string | null;
      expectedDelay: {
        closed: boolean;
        holidays: ({
          day: string;
          name: string;
          nameZh: string;
        })[];
      } | null;
      usage?: {
        taskCount: number;
        acceptedCount: number;
        deliveredCount: number;
        undeliveredCount: number;
        unknownCount: number;
        lastTime: string | null;
      } | undefined;
      operator?: string | undefined;
      versions: ({
        version: number;
        content: string;
        smsType: 1 | 2 | 3;
        auditStatus: 0 | 1 | 2 | 3;
        auditReason: string | null;
        auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
        auditSpan: {
          from: number;
          to: number;
        } | null;
        auditTime: string | null;
        createTime: string;
        createdBy: string;
      })[];
    };
  };
  /** Edit: new text or type makes a new version and restarts approval; the approved one goes on serving */
  'PATCH /templates/{templateId}': {
    params: {
      templateId: string;
    };
    body: {
      templateName?: string | undefined;
      smsType?: 1 | 2 | 3 | undefined;
      content?: string | undefined;
      editVersion?: number | undefined;
      version?: number | undefined;
    };
    result: {
      templateId: string;
      templateName: string;
      smsType: 1 | 2 | 3;
      content: string;
      auditStatus: 0 | 1 | 2 | 3;
      auditReason: string | null;
      auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
      auditSpan: {
        from: number;
        to: number;
      } | null;
      appId: string;
      appName: string;
      version: number;
      editVersion: number;
      servingVersion: number | null;
      variableCount: number;
      createTime: string;
      updateTime: string;
      expectedTime: string | null;
      expectedDelay: {
        closed: boolean;
        holidays: ({
          day: string;
          name: string;
          nameZh: string;
        })[];
      } | null;
      usage?: {
        taskCount: number;
        acceptedCount: number;
        deliveredCount: number;
        undeliveredCount: number;
        unknownCount: number;
        lastTime: string | null;
      } | undefined;
      operator?: string | undefined;
    };
  };
  /** Delete a template that no waiting task uses */
  'DELETE /templates/{templateId}': {
    params: {
      templateId: string;
    };
    result: void;
  };
  /** Sender IDs */
  'GET /senders': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      customerId?: string | undefined;
      search?: string | undefined;
      appId?: string | undefined;
      auditStatus?: string | undefined;
      useState?: "0" | "1" | undefined;
      sendable?: "1" | undefined;
      sort?: "-operateTime" | "operateTime" | "senderId" | undefined;
    } | undefined;
    result: {
      items: ({
        id: string;
        senderId: string;
        areaCode: string;
        appId: string;
        appName: string;
        useState: 0 | 1;
        auditStatus: 0 | 1 | 2 | 3;
        auditReason: string | null;
        auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
        auditTime: string | null;
        operateTime: string;
        carriers: ({
          carrier: "Globe" | "Smart" | "DITO";
          auditStatus: 0 | 1 | 2 | 3;
        })[];
        remarkInfo: string;
        expectedTime: string | null;
        expectedDelay: {
          closed: boolean;
          holidays: ({
            day: string;
            name: string;
            nameZh: string;
          })[];
        } | null;
        operator?: string | undefined;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Register a sender ID */
  'POST /senders': {
    body: {
      appId: string;
      areaCode: string;
      senderId: string;
      remarkInfo?: string | undefined;
    };
    result: {
      id: string;
      senderId: string;
      areaCode: string;
      appId: string;
      appName: string;
      useState: 0 | 1;
      auditStatus: 0 | 1 | 2 | 3;
      auditReason: string | null;
      auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
      auditTime: string | null;
      operateTime: string;
      carriers: ({
        carrier: "Globe" | "Smart" | "DITO";
        auditStatus: 0 | 1 | 2 | 3;
      })[];
      remarkInfo: string;
      expectedTime: string | null;
      expectedDelay: {
        closed: boolean;
        holidays: ({
          day: string;
          name: string;
          nameZh: string;
        })[];
      } | null;
      operator?: string | undefined;
    };
  };
  /** One sender ID */
  'GET /senders/{id}': {
    params: {
      id: string;
    };
    result: {
      id: string;
      senderId: string;
      areaCode: string;
      appId: string;
      appName: string;
      useState: 0 | 1;
      auditStatus: 0 | 1 | 2 | 3;
      auditReason: string | null;
      auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
      auditTime: string | null;
      operateTime: string;
      carriers: ({
        carrier: "Globe" | "Smart" | "DITO";
        auditStatus: 0 | 1 | 2 | 3;
      })[];
      remarkInfo: string;
      expectedTime: string | null;
      expectedDelay: {
        closed: boolean;
        holidays: ({
          day: string;
          name: string;
          nameZh: string;
        })[];
      } | null;
      operator?: string | undefined;
    };
  };
  /** Enable a sender ID */
  'POST /senders/{id}/enable': {
    params: {
      id: string;
    };
    result: {
      id: string;
      senderId: string;
      areaCode: string;
      appId: string;
      appName: string;
      useState: 0 | 1;
      auditStatus: 0 | 1 | 2 | 3;
      auditReason: string | null;
      auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
      auditTime: string | null;
      operateTime: string;
      carriers: ({
        carrier: "Globe" | "Smart" | "DITO";
        auditStatus: 0 | 1 | 2 | 3;
      })[];
      remarkInfo: string;
      expectedTime: string | null;
      expectedDelay: {
        closed: boolean;
        holidays: ({
          day: string;
          name: string;
          nameZh: string;
        })[];
      } | null;
      operator?: string | undefined;
    };
  };
  /** Disable a sender ID */
  'POST /senders/{id}/disable': {
    params: {
      id: string;
    };
    result: {
      id: string;
      senderId: string;
      areaCode: string;
      appId: string;
      appName: string;
      useState: 0 | 1;
      auditStatus: 0 | 1 | 2 | 3;
      auditReason: string | null;
      auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
      auditTime: string | null;
      operateTime: string;
      carriers: ({
        carrier: "Globe" | "Smart" | "DITO";
        auditStatus: 0 | 1 | 2 | 3;
      })[];
      remarkInfo: string;
      expectedTime: string | null;
      expectedDelay: {
        closed: boolean;
        holidays: ({
          day: string;
          name: string;
          nameZh: string;
        })[];
      } | null;
      operator?: string | undefined;
    };
  };
  /** Short codes and long numbers that are assigned to applications */
  'GET /numbers': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "number" | "-number" | undefined;
      customerId?: string | undefined;
      search?: string | undefined;
      appId?: string | undefined;
      useState?: "0" | "1" | undefined;
    } | undefined;
    result: {
      items: ({
        numberId: string;
        number: string;
        kind: "shortCode" | "longNumber";
        appId: string;
        appName: string;
        useState: 0 | 1;
        remarkInfo: string;
        assignTime: string;
        operator?: string | undefined;
        customerId?: string | undefined;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** One assigned number */
  'GET /numbers/{numberId}': {
    params: {
      numberId: string;
    };
    result: {
      numberId: string;
      number: string;
      kind: "shortCode" | "longNumber";
      appId: string;
      appName: string;
      useState: 0 | 1;
      remarkInfo: string;
      assignTime: string;
      operator?: string | undefined;
      customerId?: string | undefined;
    };
  };
  /** Upload a csv, xls or xlsx of phone numbers (multipart, field `file`); parsing goes on afterwards */
  'POST /files': {
    body: FormData;
    result: {
      fileId: string;
    };
  };
  /** State, counts, columns and sample of an uploaded file */
  'GET /files/{fileId}': {
    params: {
      fileId: string;
    };
    result: {
      fileId: string;
      fileName: string;
      size: number;
      fileStatus: "processing" | "success" | "fail";
      error: {
        code: string;
        params?: Record<string, string | number> | undefined;
      } | null;
      progress: number;
      totalRows: number;
      estimatedRows: number | null;
      remainingSeconds: number | null;
      isWaiting: boolean;
      validCount: number;
      duplicateCount: number;
      rejectedCount: number;
      optedOutCount: number;
      columns: ({
        index: number;
        name: string;
        first: string;
      })[];
      sample: (string[])[];
      sheetNames: string[];
      reading: {
        hasHeader: boolean;
        phoneColumn: number;
        sheetName?: string | undefined;
      } | null;
      createTime: string;
    };
  };
  /** Some of the valid rows, by their place among all of them, counted from 0 */
  'GET /files/{fileId}/rows': {
    params: {
      fileId: string;
    };
    query?: {
      from?: number | undefined;
      limit?: number | undefined;
    } | undefined;
    result: {
      items: ({
        line: number;
        values: string[];
      })[];
      total: number;
    };
  };
  /** Read the file again: another sheet, whose columns are found; or other columns, given together */
  'POST /files/{fileId}/read': {
    params: {
      fileId: string;
    };
    body: {
      hasHeader?: boolean | undefined;
      phoneColumn?: number | undefined;
      sheetName?: string | undefined;
    };
    result: {
      fileId: string;
      fileName: string;
      size: number;
      fileStatus: "processing" | "success" | "fail";
      error: {
        code: string;
        params?: Record<string, string | number> | undefined;
      } | null;
      progress: number;
      totalRows: number;
      estimatedRows: number | null;
      remainingSeconds: number | null;
      isWaiting: boolean;
      validCount: number;
      duplicateCount: number;
      rejectedCount: number;
      optedOutCount: number;
      columns: ({
        index: number;
        name: string;
        first: string;
      })[];
      sample: (string[])[];
      sheetNames: string[];
      reading: {
        hasHeader: boolean;
        phoneColumn: number;
        sheetName?: string | undefined;
      } | null;
      createTime: string;
    };
  };
  /** Remove a file that no task uses */
  'DELETE /files/{fileId}': {
    params: {
      fileId: string;
    };
    result: void;
  };
  /** Bulk tasks */
  'GET /tasks': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      customerId?: string | undefined;
      search?: string | undefined;
      taskStatus?: string | undefined;
      smsType?: string | undefined;
      appId?: string | undefined;
      from?: string | undefined;
      to?: string | undefined;
      ids?: string | undefined;
      sort?: "-createTime" | "createTime" | undefined;
    } | undefined;
    result: {
      items: ({
        taskId: string;
        taskName: string;
        smsType: 1 | 2 | 3 | null;
        planFlag: 0 | 1;
        planTime: string | null;
        latestStartTime: string | null;
        taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
        paused: 0 | 1;
        statusReason: string | null;
        quietHours: {
          from: number;
          to: number;
        } | null;
        statusNote: string | null;
        auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
        auditSpan?: {
          from: number;
          to: number;
        } | undefined;
        appId: string | null;
        appName: string | null;
        templateId: string | null;
        templateName: string | null;
        senderId: string | null;
        mobileFile: {
          fileId: string;
          fileName: string;
          validCount: number;
        } | null;
        groups: ({
          groupId: string;
          groupName: string;
          memberCount: number;
        })[];
        mapping: {
          variables: number[];
          groupVariables?: string[] | undefined;
        } | null;
        totalCount: number;
        successCount: number;
        failedCount: number;
        deliveredCount: number;
        undeliveredCount: number;
        unknownCount: number;
        unconfirmedCount: number;
        retryCount: number;
        progress: number;
        estimatedSegments: number | null;
        estimatedCost: number | null;
        chargedCost: number;
        version: number;
        createTime: string;
        startTime: string | null;
        endTime: string | null;
        abTest: {
          rule: "clicks" | "delivered" | "manual";
          waitMinutes: number;
          fallback: number | null;
          startTime: string | null;
          decideTime: string | null;
          askTime: string | null;
          decidedTime: string | null;
          winner: number | null;
          variants: ({
            templateId: string;
            templateName: string | null;
            share: number;
            delayMinutes: number;
            taskId: string | null;
          })[];
        } | null;
        abVariant: {
          taskId: string;
          variant: number;
        } | null;
        operator?: string | undefined;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Create a task; `draft: true` only stores it */
  'POST /tasks': {
    body: {
      taskName: string;
      appId?: string | null | undefined;
      smsType?: 1 | 2 | 3 | undefined;
      templateId?: string | null | undefined;
      senderId?: string | null | undefined;
      fileId?: string | null | undefined;
      groupIds?: string[] | undefined;
      mapping?: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null | undefined;
      planFlag?: 0 | 1 | undefined;
      planTime?: string | null | undefined;
      latestStartTime?: string | null | undefined;
      abTest?: {
        variants: ({
          templateId: string;
          share: number;
          delayMinutes?: number | undefined;
        })[];
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
      } | null | undefined;
      draft?: boolean | undefined;
    };
    result: {
      taskId: string;
      taskName: string;
      smsType: 1 | 2 | 3 | null;
      planFlag: 0 | 1;
      planTime: string | null;
      latestStartTime: string | null;
      taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
      paused: 0 | 1;
      statusReason: string | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
      statusNote: string | null;
      auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
      auditSpan?: {
        from: number;
        to: number;
      } | undefined;
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      senderId: string | null;
      mobileFile: {
        fileId: string;
        fileName: string;
        validCount: number;
      } | null;
      groups: ({
        groupId: string;
        groupName: string;
        memberCount: number;
      })[];
      mapping: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null;
      totalCount: number;
      successCount: number;
      failedCount: number;
      deliveredCount: number;
      undeliveredCount: number;
      unknownCount: number;
      unconfirmedCount: number;
      retryCount: number;
      progress: number;
      estimatedSegments: number | null;
      estimatedCost: number | null;
      chargedCost: number;
      version: number;
      createTime: string;
      startTime: string | null;
      endTime: string | null;
      abTest: {
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
        startTime: string | null;
        decideTime: string | null;
        askTime: string | null;
        decidedTime: string | null;
        winner: number | null;
        variants: ({
          templateId: string;
          templateName: string | null;
          share: number;
          delayMinutes: number;
          taskId: string | null;
        })[];
      } | null;
      abVariant: {
        taskId: string;
        variant: number;
      } | null;
      operator?: string | undefined;
    };
  };
  /** One task */
  'GET /tasks/{taskId}': {
    params: {
      taskId: string;
    };
    result: {
      taskId: string;
      taskName: string;
      smsType: 1 | 2 | 3 | null;
      planFlag: 0 | 1;
      planTime: string | null;
      latestStartTime: string | null;
      taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
      paused: 0 | 1;
      statusReason: string | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
      statusNote: string | null;
      auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
      auditSpan?: {
        from: number;
        to: number;
      } | undefined;
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      senderId: string | null;
      mobileFile: {
        fileId: string;
        fileName: string;
        validCount: number;
      } | null;
      groups: ({
        groupId: string;
        groupName: string;
        memberCount: number;
      })[];
      mapping: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null;
      totalCount: number;
      successCount: number;
      failedCount: number;
      deliveredCount: number;
      undeliveredCount: number;
      unknownCount: number;
      unconfirmedCount: number;
      retryCount: number;
      progress: number;
      estimatedSegments: number | null;
      estimatedCost: number | null;
      chargedCost: number;
      version: number;
      createTime: string;
      startTime: string | null;
      endTime: string | null;
      abTest: {
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
        startTime: string | null;
        decideTime: string | null;
        askTime: string | null;
        decidedTime: string | null;
        winner: number | null;
        variants: ({
          templateId: string;
          templateName: string | null;
          share: number;
          delayMinutes: number;
          taskId: string | null;
        })[];
      } | null;
      abVariant: {
        taskId: string;
        variant: number;
      } | null;
      operator?: string | undefined;
      content: string | null;
      file: {
        totalRows: number;
        validCount: number;
        duplicateCount: number;
        rejectedCount: number;
        optedOutCount: number;
      } | null;
      audience: {
        frozenTime: string;
        fileCount: number;
        memberCount: number;
        duplicateCount: number;
      } | null;
      expectedTime: string | null;
      graceEndTime: string | null;
      check: {
        rowsRead: number;
        totalRows: number | null;
        remainingSeconds: number | null;
        isWaiting: boolean;
      } | null;
      droppedCount: number;
      noConsentCount: number;
      leaveOutCarriers: string[];
      leftOutCount: number;
      price: number | null;
      chargedSegments: number;
      reservedCost: number;
      rate: number;
      inFlightCount: number;
      resendableCount: number;
      timeline: ({
        time: string;
        taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | null;
        action: string;
        by: string | null;
        note: string | null;
      })[];
    };
  };
  /** Edit: returns the task to draft where its status allows */
  'PATCH /tasks/{taskId}': {
    params: {
      taskId: string;
    };
    body: {
      taskName?: string | undefined;
      appId?: string | null | undefined;
      smsType?: 1 | 2 | 3 | undefined;
      templateId?: string | null | undefined;
      senderId?: string | null | undefined;
      fileId?: string | null | undefined;
      groupIds?: string[] | undefined;
      mapping?: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null | undefined;
      planFlag?: 0 | 1 | undefined;
      planTime?: string | null | undefined;
      latestStartTime?: string | null | undefined;
      abTest?: {
        variants: ({
          templateId: string;
          share: number;
          delayMinutes?: number | undefined;
        })[];
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
      } | null | undefined;
      leaveOutCarriers?: ("Globe" | "Smart" | "DITO")[] | undefined;
      version?: number | undefined;
    };
    result: {
      taskId: string;
      taskName: string;
      smsType: 1 | 2 | 3 | null;
      planFlag: 0 | 1;
      planTime: string | null;
      latestStartTime: string | null;
      taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
      paused: 0 | 1;
      statusReason: string | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
      statusNote: string | null;
      auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
      auditSpan?: {
        from: number;
        to: number;
      } | undefined;
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      senderId: string | null;
      mobileFile: {
        fileId: string;
        fileName: string;
        validCount: number;
      } | null;
      groups: ({
        groupId: string;
        groupName: string;
        memberCount: number;
      })[];
      mapping: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null;
      totalCount: number;
      successCount: number;
      failedCount: number;
      deliveredCount: number;
      undeliveredCount: number;
      unknownCount: number;
      unconfirmedCount: number;
      retryCount: number;
      progress: number;
      estimatedSegments: number | null;
      estimatedCost: number | null;
      chargedCost: number;
      version: number;
      createTime: string;
      startTime: string | null;
      endTime: string | null;
      abTest: {
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
        startTime: string | null;
        decideTime: string | null;
        askTime: string | null;
        decidedTime: string | null;
        winner: number | null;
        variants: ({
          templateId: string;
          templateName: string | null;
          share: number;
          delayMinutes: number;
          taskId: string | null;
        })[];
      } | null;
      abVariant: {
        taskId: string;
        variant: number;
      } | null;
      operator?: string | undefined;
    };
  };
  /** Delete a draft */
  'DELETE /tasks/{taskId}': {
    params: {
      taskId: string;
    };
    result: void;
  };
  /** Submit a draft for checking */
  'POST /tasks/{taskId}/submit': {
    params: {
      taskId: string;
    };
    result: {
      taskId: string;
      taskName: string;
      smsType: 1 | 2 | 3 | null;
      planFlag: 0 | 1;
      planTime: string | null;
      latestStartTime: string | null;
      taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
      paused: 0 | 1;
      statusReason: string | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
      statusNote: string | null;
      auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
      auditSpan?: {
        from: number;
        to: number;
      } | undefined;
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      senderId: string | null;
      mobileFile: {
        fileId: string;
        fileName: string;
        validCount: number;
      } | null;
      groups: ({
        groupId: string;
        groupName: string;
        memberCount: number;
      })[];
      mapping: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null;
      totalCount: number;
      successCount: number;
      failedCount: number;
      deliveredCount: number;
      undeliveredCount: number;
      unknownCount: number;
      unconfirmedCount: number;
      retryCount: number;
      progress: number;
      estimatedSegments: number | null;
      estimatedCost: number | null;
      chargedCost: number;
      version: number;
      createTime: string;
      startTime: string | null;
      endTime: string | null;
      abTest: {
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
        startTime: string | null;
        decideTime: string | null;
        askTime: string | null;
        decidedTime: string | null;
        winner: number | null;
        variants: ({
          templateId: string;
          templateName: string | null;
          share: number;
          delayMinutes: number;
          taskId: string | null;
        })[];
      } | null;
      abVariant: {
        taskId: string;
        variant: number;
      } | null;
      operator?: string | undefined;
    };
  };
  /** Confirm: reserves the cost; reviewed where policy asks for it */
  'POST /tasks/{taskId}/confirm': {
    params: {
      taskId: string;
    };
    body?: {
      graceSeconds?: number | undefined;
    } | null | undefined;
    result: {
      taskId: string;
      taskName: string;
      smsType: 1 | 2 | 3 | null;
      planFlag: 0 | 1;
      planTime: string | null;
      latestStartTime: string | null;
      taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
      paused: 0 | 1;
      statusReason: string | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
      statusNote: string | null;
      auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
      auditSpan?: {
        from: number;
        to: number;
      } | undefined;
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      senderId: string | null;
      mobileFile: {
        fileId: string;
        fileName: string;
        validCount: number;
      } | null;
      groups: ({
        groupId: string;
        groupName: string;
        memberCount: number;
      })[];
      mapping: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null;
      totalCount: number;
      successCount: number;
      failedCount: number;
      deliveredCount: number;
      undeliveredCount: number;
      unknownCount: number;
      unconfirmedCount: number;
      retryCount: number;
      progress: number;
      estimatedSegments: number | null;
      estimatedCost: number | null;
      chargedCost: number;
      version: number;
      createTime: string;
      startTime: string | null;
      endTime: string | null;
      abTest: {
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
        startTime: string | null;
        decideTime: string | null;
        askTime: string | null;
        decidedTime: string | null;
        winner: number | null;
        variants: ({
          templateId: string;
          templateName: string | null;
          share: number;
          delayMinutes: number;
          taskId: string | null;
        })[];
      } | null;
      abVariant: {
        taskId: string;
        variant: number;
      } | null;
      operator?: string | undefined;
    };
  };
  /** Results of an A/B test, and its decision */
  'GET /tasks/{taskId}/ab-test': {
    params: {
      taskId: string;
    };
    result: {
      rule: "clicks" | "delivered" | "manual";
      waitMinutes: number;
      fallback: number | null;
      startTime: string | null;
      decideTime: string | null;
      askTime: string | null;
      decidedTime: string | null;
      winner: number | null;
      restCount: number;
      decidedBy: "rule" | "fallback" | "person" | null;
      deciderName: string | null;
      variants: ({
        templateId: string;
        templateName: string | null;
        share: number;
        delayMinutes: number;
        taskId: string | null;
        content: string | null;
        recipientCount: number | null;
        taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | null;
        result: {
          acceptedCount: number;
          deliveredCount: number;
          clickedCount: number;
          interval: {
            low: number;
            high: number;
          } | null;
        } | null;
      })[];
      judgement: {
        leader: number | null;
        rival: number | null;
        difference: {
          value: number;
          low: number;
          high: number;
        } | null;
        isWithinChance: boolean;
      } | null;
    };
  };
  /** Decide an A/B test now: the others get the variant */
  'POST /tasks/{taskId}/ab-test/decide': {
    params: {
      taskId: string;
    };
    body: {
      winner: number;
    };
    result: {
      taskId: string;
      taskName: string;
      smsType: 1 | 2 | 3 | null;
      planFlag: 0 | 1;
      planTime: string | null;
      latestStartTime: string | null;
      taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
      paused: 0 | 1;
      statusReason: string | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
      statusNote: string | null;
      auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
      auditSpan?: {
        from: number;
        to: number;
      } | undefined;
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      senderId: string | null;
      mobileFile: {
        fileId: string;
        fileName: string;
        validCount: number;
      } | null;
      groups: ({
        groupId: string;
        groupName: string;
        memberCount: number;
      })[];
      mapping: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null;
      totalCount: number;
      successCount: number;
      failedCount: number;
      deliveredCount: number;
      undeliveredCount: number;
      unknownCount: number;
      unconfirmedCount: number;
      retryCount: number;
      progress: number;
      estimatedSegments: number | null;
      estimatedCost: number | null;
      chargedCost: number;
      version: number;
      createTime: string;
      startTime: string | null;
      endTime: string | null;
      abTest: {
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
        startTime: string | null;
        decideTime: string | null;
        askTime: string | null;
        decidedTime: string | null;
        winner: number | null;
        variants: ({
          templateId: string;
          templateName: string | null;
          share: number;
          delayMinutes: number;
          taskId: string | null;
        })[];
      } | null;
      abVariant: {
        taskId: string;
        variant: number;
      } | null;
      operator?: string | undefined;
    };
  };
  /** Copy a task as a draft, with its file and groups */
  'POST /tasks/{taskId}/copy': {
    params: {
      taskId: string;
    };
    body: {
      taskName: string;
    };
    result: {
      taskId: string;
      taskName: string;
      smsType: 1 | 2 | 3 | null;
      planFlag: 0 | 1;
      planTime: string | null;
      latestStartTime: string | null;
      taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
      paused: 0 | 1;
      statusReason: string | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
      statusNote: string | null;
      auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
      auditSpan?: {
        from: number;
        to: number;
      } | undefined;
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      senderId: string | null;
      mobileFile: {
        fileId: string;
        fileName: string;
        validCount: number;
      } | null;
      groups: ({
        groupId: string;
        groupName: string;
        memberCount: number;
      })[];
      mapping: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null;
      totalCount: number;
      successCount: number;
      failedCount: number;
      deliveredCount: number;
      undeliveredCount: number;
      unknownCount: number;
      unconfirmedCount: number;
      retryCount: number;
      progress: number;
      estimatedSegments: number | null;
      estimatedCost: number | null;
      chargedCost: number;
      version: number;
      createTime: string;
      startTime: string | null;
      endTime: string | null;
      abTest: {
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
        startTime: string | null;
        decideTime: string | null;
        askTime: string | null;
        decidedTime: string | null;
        winner: number | null;
        variants: ({
          templateId: string;
          templateName: string | null;
          share: number;
          delayMinutes: number;
          taskId: string | null;
        })[];
      } | null;
      abVariant: {
        taskId: string;
        variant: number;
      } | null;
      operator?: string | undefined;
    };
  };
  /** Cancel before it starts */
  'POST /tasks/{taskId}/cancel': {
    params: {
      taskId: string;
    };
    result: {
      taskId: string;
      taskName: string;
      smsType: 1 | 2 | 3 | null;
      planFlag: 0 | 1;
      planTime: string | null;
      latestStartTime: string | null;
      taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
      paused: 0 | 1;
      statusReason: string | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
      statusNote: string | null;
      auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
      auditSpan?: {
        from: number;
        to: number;
      } | undefined;
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      senderId: string | null;
      mobileFile: {
        fileId: string;
        fileName: string;
        validCount: number;
      } | null;
      groups: ({
        groupId: string;
        groupName: string;
        memberCount: number;
      })[];
      mapping: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null;
      totalCount: number;
      successCount: number;
      failedCount: number;
      deliveredCount: number;
      undeliveredCount: number;
      unknownCount: number;
      unconfirmedCount: number;
      retryCount: number;
      progress: number;
      estimatedSegments: number | null;
      estimatedCost: number | null;
      chargedCost: number;
      version: number;
      createTime: string;
      startTime: string | null;
      endTime: string | null;
      abTest: {
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
        startTime: string | null;
        decideTime: string | null;
        askTime: string | null;
        decidedTime: string | null;
        winner: number | null;
        variants: ({
          templateId: string;
          templateName: string | null;
          share: number;
          delayMinutes: number;
          taskId: string | null;
        })[];
      } | null;
      abVariant: {
        taskId: string;
        variant: number;
      } | null;
      operator?: string | undefined;
    };
  };
  /** Stop for good: the rest is not sent and not charged */
  'POST /tasks/{taskId}/terminate': {
    params: {
      taskId: string;
    };
    result: {
      taskId: string;
      taskName: string;
      smsType: 1 | 2 | 3 | null;
      planFlag: 0 | 1;
      planTime: string | null;
      latestStartTime: string | null;
      taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
      paused: 0 | 1;
      statusReason: string | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
      statusNote: string | null;
      auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
      auditSpan?: {
        from: number;
        to: number;
      } | undefined;
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      senderId: string | null;
      mobileFile: {
        fileId: string;
        fileName: string;
        validCount: number;
      } | null;
      groups: ({
        groupId: string;
        groupName: string;
        memberCount: number;
      })[];
      mapping: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null;
      totalCount: number;
      successCount: number;
      failedCount: number;
      deliveredCount: number;
      undeliveredCount: number;
      unknownCount: number;
      unconfirmedCount: number;
      retryCount: number;
      progress: number;
      estimatedSegments: number | null;
      estimatedCost: number | null;
      chargedCost: number;
      version: number;
      createTime: string;
      startTime: string | null;
      endTime: string | null;
      abTest: {
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
        startTime: string | null;
        decideTime: string | null;
        askTime: string | null;
        decidedTime: string | null;
        winner: number | null;
        variants: ({
          templateId: string;
          templateName: string | null;
          share: number;
          delayMinutes: number;
          taskId: string | null;
        })[];
      } | null;
      abVariant: {
        taskId: string;
        variant: number;
      } | null;
      operator?: string | undefined;
    };
  };
  /** Pause */
  'POST /tasks/{taskId}/pause': {
    params: {
      taskId: string;
    };
    result: {
      taskId: string;
      taskName: string;
      smsType: 1 | 2 | 3 | null;
      planFlag: 0 | 1;
      planTime: string | null;
      latestStartTime: string | null;
      taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
      paused: 0 | 1;
      statusReason: string | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
      statusNote: string | null;
      auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
      auditSpan?: {
        from: number;
        to: number;
      } | undefined;
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      senderId: string | null;
      mobileFile: {
        fileId: string;
        fileName: string;
        validCount: number;
      } | null;
      groups: ({
        groupId: string;
        groupName: string;
        memberCount: number;
      })[];
      mapping: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null;
      totalCount: number;
      successCount: number;
      failedCount: number;
      deliveredCount: number;
      undeliveredCount: number;
      unknownCount: number;
      unconfirmedCount: number;
      retryCount: number;
      progress: number;
      estimatedSegments: number | null;
      estimatedCost: number | null;
      chargedCost: number;
      version: number;
      createTime: string;
      startTime: string | null;
      endTime: string | null;
      abTest: {
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
        startTime: string | null;
        decideTime: string | null;
        askTime: string | null;
        decidedTime: string | null;
        winner: number | null;
        variants: ({
          templateId: string;
          templateName: string | null;
          share: number;
          delayMinutes: number;
          taskId: string | null;
        })[];
      } | null;
      abVariant: {
        taskId: string;
        variant: number;
      } | null;
      operator?: string | undefined;
    };
  };
  /** Resume; what staff paused, staff resume */
  'POST /tasks/{taskId}/resume': {
    params: {
      taskId: string;
    };
    result: {
      taskId: string;
      taskName: string;
      smsType: 1 | 2 | 3 | null;
      planFlag: 0 | 1;
      planTime: string | null;
      latestStartTime: string | null;
      taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
      paused: 0 | 1;
      statusReason: string | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
      statusNote: string | null;
      auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
      auditSpan?: {
        from: number;
        to: number;
      } | undefined;
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      senderId: string | null;
      mobileFile: {
        fileId: string;
        fileName: string;
        validCount: number;
      } | null;
      groups: ({
        groupId: string;
        groupName: string;
        memberCount: number;
      })[];
      mapping: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null;
      totalCount: number;
      successCount: number;
      failedCount: number;
      deliveredCount: number;
      undeliveredCount: number;
      unknownCount: number;
      unconfirmedCount: number;
      retryCount: number;
      progress: number;
      estimatedSegments: number | null;
      estimatedCost: number | null;
      chargedCost: number;
      version: number;
      createTime: string;
      startTime: string | null;
      endTime: string | null;
      abTest: {
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
        startTime: string | null;
        decideTime: string | null;
        askTime: string | null;
        decidedTime: string | null;
        winner: number | null;
        variants: ({
          templateId: string;
          templateName: string | null;
          share: number;
          delayMinutes: number;
          taskId: string | null;
        })[];
      } | null;
      abVariant: {
        taskId: string;
        variant: number;
      } | null;
      operator?: string | undefined;
    };
  };
  /** Send again to failed recipients, or those with chosen results; never to opted-out or invalid ones */
  'POST /tasks/{taskId}/retry': {
    params: {
      taskId: string;
    };
    body?: {
      dealResults?: string[] | undefined;
    } | null | undefined;
    result: {
      taskId: string;
      taskName: string;
      smsType: 1 | 2 | 3 | null;
      planFlag: 0 | 1;
      planTime: string | null;
      latestStartTime: string | null;
      taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
      paused: 0 | 1;
      statusReason: string | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
      statusNote: string | null;
      auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
      auditSpan?: {
        from: number;
        to: number;
      } | undefined;
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      senderId: string | null;
      mobileFile: {
        fileId: string;
        fileName: string;
        validCount: number;
      } | null;
      groups: ({
        groupId: string;
        groupName: string;
        memberCount: number;
      })[];
      mapping: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null;
      totalCount: number;
      successCount: number;
      failedCount: number;
      deliveredCount: number;
      undeliveredCount: number;
      unknownCount: number;
      unconfirmedCount: number;
      retryCount: number;
      progress: number;
      estimatedSegments: number | null;
      estimatedCost: number | null;
      chargedCost: number;
      version: number;
      createTime: string;
      startTime: string | null;
      endTime: string | null;
      abTest: {
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
        startTime: string | null;
        decideTime: string | null;
        askTime: string | null;
        decidedTime: string | null;
        winner: number | null;
        variants: ({
          templateId: string;
          templateName: string | null;
          share: number;
          delayMinutes: number;
          taskId: string | null;
        })[];
      } | null;
      abVariant: {
        taskId: string;
        variant: number;
      } | null;
      operator?: string | undefined;
    };
  };
  /** Send again to recipients in doubt whose receipt is overdue */
  'POST /tasks/{taskId}/resend': {
    params: {
      taskId: string;
    };
    result: {
      taskId: string;
      taskName: string;
      smsType: 1 | 2 | 3 | null;
      planFlag: 0 | 1;
      planTime: string | null;
      latestStartTime: string | null;
      taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
      paused: 0 | 1;
      statusReason: string | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
      statusNote: string | null;
      auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
      auditSpan?: {
        from: number;
        to: number;
      } | undefined;
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      senderId: string | null;
      mobileFile: {
        fileId: string;
        fileName: string;
        validCount: number;
      } | null;
      groups: ({
        groupId: string;
        groupName: string;
        memberCount: number;
      })[];
      mapping: {
        variables: number[];
        groupVariables?: string[] | undefined;
      } | null;
      totalCount: number;
      successCount: number;
      failedCount: number;
      deliveredCount: number;
      undeliveredCount: number;
      unknownCount: number;
      unconfirmedCount: number;
      retryCount: number;
      progress: number;
      estimatedSegments: number | null;
      estimatedCost: number | null;
      chargedCost: number;
      version: number;
      createTime: string;
      startTime: string | null;
      endTime: string | null;
      abTest: {
        rule: "clicks" | "delivered" | "manual";
        waitMinutes: number;
        fallback: number | null;
        startTime: string | null;
        decideTime: string | null;
        askTime: string | null;
        decidedTime: string | null;
        winner: number | null;
        variants: ({
          templateId: string;
          templateName: string | null;
          share: number;
          delayMinutes: number;
          taskId: string | null;
        })[];
      } | null;
      abVariant: {
        taskId: string;
        variant: number;
      } | null;
      operator?: string | undefined;
    };
  };
  /** Send a test message with the first row or given values */
  'POST /tasks/{taskId}/test': {
    params: {
      taskId: string;
    };
    body: {
      mobileNumber: string;
      variables?: string[] | undefined;
    };
    result: {
      messageId: string;
      pkgTotal: number;
    };
  };
  /** Send detail: one row per recipient */
  'GET /tasks/{taskId}/details': {
    params: {
      taskId: string;
    };
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "messageId" | undefined;
      mobileNumber?: string | undefined;
      sendStatus?: string | undefined;
      clientStatus?: string | undefined;
      dealResult?: string | undefined;
    } | undefined;
    result: {
      items: ({
        messageId: string;
        mobileNumber: string;
        sendStatus: 0 | 1 | 2 | 3;
        clientStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
        dealResult: string;
        carrierCode: string | null;
        sendTime: string | null;
        reportTime: string | null;
        pkgTotal: number;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Send log by minute, newest first */
  'GET /tasks/{taskId}/log': {
    params: {
      taskId: string;
    };
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-sendTime" | "sendTime" | undefined;
    } | undefined;
    result: {
      items: ({
        sendTime: string;
        totalCount: number;
        successCount: number;
        failedCount: number;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Deliveries and clicks of 90 days by the hour of sending */
  'GET /tasks/send-hours': {
    query?: {
      appId?: string | undefined;
      zone?: string | undefined;
    } | undefined;
    result: {
      from: string;
      to: string;
      zone: string;
      hours: ({
        hour: number;
        answeredCount: number;
        deliveredCount: number;
        linkedCount: number;
        openedCount: number;
      })[];
    };
  };
  /** Segments, cost by carrier and speed, by the rows of the file */
  'GET /tasks/estimate': {
    query: {
      fileId: string;
      templateId: string;
      smsType: "1" | "2" | "3";
      columns?: string | undefined;
    };
    result: {
      rowCount: number;
      readCount: number;
      recipients: number;
      optedOutCount: number;
      noConsentCount: number;
      leftOutCount: number;
      droppedCount: number;
      segmentsMin: number;
      segmentsMax: number;
      segmentsAverage: number;
      segments: number;
      cost: number;
      longestRow: number | null;
      carriers: ({
        areaCode: string;
        carrier: string | null;
        recipients: number;
        segments: number;
        price: number;
        cost: number;
      })[];
      blockedLinks: ({
        carrier: string;
        senderKey: string;
        domains: string[];
        recipients: number;
      })[];
      speed: {
        perSecond: number;
        basis: "measured" | "limit";
        taskName: string | null;
        measuredTime: string | null;
        othersCount: number;
      } | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
    };
  };
  /** The same of a checked task, exactly */
  'GET /tasks/{taskId}/estimate': {
    params: {
      taskId: string;
    };
    result: {
      rowCount: number;
      readCount: number;
      recipients: number;
      optedOutCount: number;
      noConsentCount: number;
      leftOutCount: number;
      droppedCount: number;
      segmentsMin: number;
      segmentsMax: number;
      segmentsAverage: number;
      segments: number;
      cost: number;
      longestRow: number | null;
      carriers: ({
        areaCode: string;
        carrier: string | null;
        recipients: number;
        segments: number;
        price: number;
        cost: number;
      })[];
      blockedLinks: ({
        carrier: string;
        senderKey: string;
        domains: string[];
        recipients: number;
      })[];
      speed: {
        perSecond: number;
        basis: "measured" | "limit";
        taskName: string | null;
        measuredTime: string | null;
        othersCount: number;
      } | null;
      quietHours: {
        from: number;
        to: number;
      } | null;
    };
  };
  /** Results by carrier and by reason; at most ten seconds old */
  'GET /tasks/{taskId}/breakdown': {
    params: {
      taskId: string;
    };
    result: {
      carriers: ({
        carrier: string | null;
        recipients: number;
        waitingCount: number;
        acceptedCount: number;
        failedCount: number;
        deliveredCount: number;
        undeliveredCount: number;
        unknownCount: number;
      })[];
      reasons: ({
        dealResult: string;
        count: number;
        isRequest: boolean;
        mayRetry: boolean;
      })[];
    };
  };
  /** Message groups, newest first */
  'GET /groups': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-createTime" | "createTime" | undefined;
      customerId?: string | undefined;
      search?: string | undefined;
    } | undefined;
    result: {
      items: ({
        groupId: string;
        groupName: string;
        description: string;
        memberCount: number;
        suppressedCount: number;
        variableNames: string[];
        source: "paste" | "api" | "file" | "task" | "groups" | "dynamic";
        selection: {
          groupIds: string[];
          match: "all" | "any";
          conditions: ({
            field: "value";
            name: string;
            operator: "is" | "isNot" | "contains" | "startsWith" | "isEmpty" | "isNotEmpty" | "above" | "below";
            value: string;
          } | {
            field: "rangeHolder";
            operator: "is" | "isNot";
            holders: string[];
          } | {
            field: "joined" | "written" | "delivered" | "clicked" | "replied";
            operator: "within" | "notWithin";
            days: number;
          })[];
        } | null;
        countTime: string | null;
        status: "ready" | "importing";
        createdBy: string | null;
        version: number;
        createTime: string;
        updateTime: string;
        operator?: string | undefined;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Add an empty group */
  'POST /groups': {
    body: {
      groupName: string;
      description?: string | undefined;
      variableNames?: string[] | undefined;
      source?: "paste" | "api" | "file" | undefined;
    };
    result: {
      groupId: string;
      groupName: string;
      description: string;
      memberCount: number;
      suppressedCount: number;
      variableNames: string[];
      source: "paste" | "api" | "file" | "task" | "groups" | "dynamic";
      selection: {
        groupIds: string[];
        match: "all" | "any";
        conditions: ({
          field: "value";
          name: string;
          operator: "is" | "isNot" | "contains" | "startsWith" | "isEmpty" | "isNotEmpty" | "above" | "below";
          value: string;
        } | {
          field: "rangeHolder";
          operator: "is" | "isNot";
          holders: string[];
        } | {
          field: "joined" | "written" | "delivered" | "clicked" | "replied";
          operator: "within" | "notWithin";
          days: number;
        })[];
      } | null;
      countTime: string | null;
      status: "ready" | "importing";
      createdBy: string | null;
      version: number;
      createTime: string;
      updateTime: string;
      operator?: string | undefined;
    };
  };
  /** Add a group made of others: all of them together, what is in each, or the first without the others */
  'POST /groups/combine': {
    body: {
      groupName: string;
      description?: string | undefined;
      combination: "merge" | "intersect" | "subtract";
      groupIds: string[];
    };
    result: {
      groupId: string;
      groupName: string;
      description: string;
      memberCount: number;
      suppressedCount: number;
      variableNames: string[];
      source: "paste" | "api" | "file" | "task" | "groups" | "dynamic";
      selection: {
        groupIds: string[];
        match: "all" | "any";
        conditions: ({
          field: "value";
          name: string;
          operator: "is" | "isNot" | "contains" | "startsWith" | "isEmpty" | "isNotEmpty" | "above" | "below";
          value: string;
        } | {
          field: "rangeHolder";
          operator: "is" | "isNot";
          holders: string[];
        } | {
          field: "joined" | "written" | "delivered" | "clicked" | "replied";
          operator: "within" | "notWithin";
          days: number;
        })[];
      } | null;
      countTime: string | null;
      status: "ready" | "importing";
      createdBy: string | null;
      version: number;
      createTime: string;
      updateTime: string;
      operator?: string | undefined;
    };
  };
  /** Add a dynamic group: its members are selected from other groups each time it is sent to */
  'POST /groups/dynamic': {
    body: {
      groupName: string;
      description?: string | undefined;
      selection: {
        groupIds: string[];
        match?: "all" | "any" | undefined;
        conditions: ({
          field: "value";
          name: string;
          operator: "is" | "isNot" | "contains" | "startsWith" | "isEmpty" | "isNotEmpty" | "above" | "below";
          value?: string | undefined;
        } | {
          field: "rangeHolder";
          operator: "is" | "isNot";
          holders: string[];
        } | {
          field: "joined" | "written" | "delivered" | "clicked" | "replied";
          operator: "within" | "notWithin";
          days: number;
        })[];
      };
    };
    result: {
      groupId: string;
      groupName: string;
      description: string;
      memberCount: number;
      suppressedCount: number;
      variableNames: string[];
      source: "paste" | "api" | "file" | "task" | "groups" | "dynamic";
      selection: {
        groupIds: string[];
        match: "all" | "any";
        conditions: ({
          field: "value";
          name: string;
          operator: "is" | "isNot" | "contains" | "startsWith" | "isEmpty" | "isNotEmpty" | "above" | "below";
          value: string;
        } | {
          field: "rangeHolder";
          operator: "is" | "isNot";
          holders: string[];
        } | {
          field: "joined" | "written" | "delivered" | "clicked" | "replied";
          operator: "within" | "notWithin";
          days: number;
        })[];
      } | null;
      countTime: string | null;
      status: "ready" | "importing";
      createdBy: string | null;
      version: number;
      createTime: string;
      updateTime: string;
      operator?: string | undefined;
    };
  };
  /** Count the members that a selection finds now */
  'POST /groups/count-selection': {
    body: {
      selection: {
        groupIds: string[];
        match?: "all" | "any" | undefined;
        conditions: ({
          field: "value";
          name: string;
          operator: "is" | "isNot" | "contains" | "startsWith" | "isEmpty" | "isNotEmpty" | "above" | "below";
          value?: string | undefined;
        } | {
          field: "rangeHolder";
          operator: "is" | "isNot";
          holders: string[];
        } | {
          field: "joined" | "written" | "delivered" | "clicked" | "replied";
          operator: "within" | "notWithin";
          days: number;
        })[];
      };
    };
    result: {
      count: number;
      isEstimate: boolean;
      margin: number;
      sourceCount: number;
      sample: string[];
      unknownNames: string[];
    };
  };
  /** Add a group of the recipients of a task that came to one of these ends */
  'POST /groups/from-task': {
    body: {
      groupName: string;
      description?: string | undefined;
      taskId: string;
      outcomes: ("delivered" | "undelivered" | "expired" | "rejected" | "unknown" | "refused" | "invalid" | "clicked")[];
    };
    result: {
      groupId: string;
      groupName: string;
      description: string;
      memberCount: number;
      suppressedCount: number;
      variableNames: string[];
      source: "paste" | "api" | "file" | "task" | "groups" | "dynamic";
      selection: {
        groupIds: string[];
        match: "all" | "any";
        conditions: ({
          field: "value";
          name: string;
          operator: "is" | "isNot" | "contains" | "startsWith" | "isEmpty" | "isNotEmpty" | "above" | "below";
          value: string;
        } | {
          field: "rangeHolder";
          operator: "is" | "isNot";
          holders: string[];
        } | {
          field: "joined" | "written" | "delivered" | "clicked" | "replied";
          operator: "within" | "notWithin";
          days: number;
        })[];
      } | null;
      countTime: string | null;
      status: "ready" | "importing";
      createdBy: string | null;
      version: number;
      createTime: string;
      updateTime: string;
      operator?: string | undefined;
    };
  };
  /** One group */
  'GET /groups/{groupId}': {
    params: {
      groupId: string;
    };
    result: {
      groupId: string;
      groupName: string;
      description: string;
      memberCount: number;
      suppressedCount: number;
      variableNames: string[];
      source: "paste" | "api" | "file" | "task" | "groups" | "dynamic";
      selection: {
        groupIds: string[];
        match: "all" | "any";
        conditions: ({
          field: "value";
          name: string;
          operator: "is" | "isNot" | "contains" | "startsWith" | "isEmpty" | "isNotEmpty" | "above" | "below";
          value: string;
        } | {
          field: "rangeHolder";
          operator: "is" | "isNot";
          holders: string[];
        } | {
          field: "joined" | "written" | "delivered" | "clicked" | "replied";
          operator: "within" | "notWithin";
          days: number;
        })[];
      } | null;
      countTime: string | null;
      status: "ready" | "importing";
      createdBy: string | null;
      version: number;
      createTime: string;
      updateTime: string;
      operator?: string | undefined;
      imports: ({
        importId: string;
        kind: "file" | "task" | "merge" | "intersect" | "subtract" | "optOut" | "consent";
        state: "waiting" | "done" | "fail";
        error: string | null;
        progress: number;
        totalCount: number;
        addedCount: number;
        updatedCount: number;
        keptCount: number;
        file: {
          fileId: string;
          fileName: string;
          rejectedCount: number;
          duplicateCount: number;
        } | null;
        createTime: string;
        endTime: string | null;
      })[];
      usedBy: ({
        taskId: string;
        taskName: string;
      })[];
      sources: ({
        groupId: string;
        groupName: string;
        memberCount: number;
        variableNames: string[];
      })[];
    };
  };
  /** Rename or describe a group, or change its selection; its values may be renamed and more be added, none taken away */
  'PATCH /groups/{groupId}': {
    params: {
      groupId: string;
    };
    body: {
      groupName?: string | undefined;
      description?: string | undefined;
      variableNames?: string[] | undefined;
      selection?: {
        groupIds: string[];
        match?: "all" | "any" | undefined;
        conditions: ({
          field: "value";
          name: string;
          operator: "is" | "isNot" | "contains" | "startsWith" | "isEmpty" | "isNotEmpty" | "above" | "below";
          value?: string | undefined;
        } | {
          field: "rangeHolder";
          operator: "is" | "isNot";
          holders: string[];
        } | {
          field: "joined" | "written" | "delivered" | "clicked" | "replied";
          operator: "within" | "notWithin";
          days: number;
        })[];
      } | undefined;
      version?: number | undefined;
    };
    result: {
      groupId: string;
      groupName: string;
      description: string;
      memberCount: number;
      suppressedCount: number;
      variableNames: string[];
      source: "paste" | "api" | "file" | "task" | "groups" | "dynamic";
      selection: {
        groupIds: string[];
        match: "all" | "any";
        conditions: ({
          field: "value";
          name: string;
          operator: "is" | "isNot" | "contains" | "startsWith" | "isEmpty" | "isNotEmpty" | "above" | "below";
          value: string;
        } | {
          field: "rangeHolder";
          operator: "is" | "isNot";
          holders: string[];
        } | {
          field: "joined" | "written" | "delivered" | "clicked" | "replied";
          operator: "within" | "notWithin";
          days: number;
        })[];
      } | null;
      countTime: string | null;
      status: "ready" | "importing";
      createdBy: string | null;
      version: number;
      createTime: string;
      updateTime: string;
      operator?: string | undefined;
    };
  };
  /** Delete a group and its members, unless a task that is not sent yet or a dynamic group reads it */
  'DELETE /groups/{groupId}': {
    params: {
      groupId: string;
    };
    result: void;
  };
  /** Members of a group in the order of their numbers */
  'GET /groups/{groupId}/members': {
    params: {
      groupId: string;
    };
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "mobileNumber" | "-mobileNumber" | undefined;
      mobileNumber?: string | undefined;
      rangeHolder?: string | undefined;
      state?: "active" | "optedOut" | "invalid" | undefined;
    } | undefined;
    result: {
      items: ({
        mobileNumber: string;
        variables: string[];
        rangeHolder: string | null;
        state: "active" | "optedOut" | "invalid";
        joinTime: string;
        lastSentAt: string | null;
        lastResult: string | null;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Add up to 1,000 members */
  'POST /groups/{groupId}/members': {
    params: {
      groupId: string;
    };
    body: {
      members: ({
        mobileNumber: string;
        variables?: Record<string, string> | undefined;
      })[];
      onDuplicate?: "keep" | "overwrite" | undefined;
    };
    result: {
      addedCount: number;
      updatedCount: number;
      keptCount: number;
      rejected: ({
        index: number;
        reason: string;
      })[];
      memberCount: number;
    };
  };
  /** Add up to 1,000 members, from an application of the same customer */
  'PUT /groups/{groupId}/members': {
    params: {
      groupId: string;
    };
    body: {
      members: ({
        mobileNumber: string;
        variables?: Record<string, string> | undefined;
      })[];
      onDuplicate?: "keep" | "overwrite" | undefined;
    };
    result: {
      addedCount: number;
      updatedCount: number;
      keptCount: number;
      rejected: ({
        index: number;
        reason: string;
      })[];
      memberCount: number;
    };
  };
  /** Take up to 1,000 numbers out of a group */
  'POST /groups/{groupId}/members/remove': {
    params: {
      groupId: string;
    };
    body: {
      mobileNumbers: string[];
    };
    result: {
      removedCount: number;
      memberCount: number;
    };
  };
  /** Add the recipients of an uploaded file; columns become values by name, new names are added */
  'POST /groups/{groupId}/import': {
    params: {
      groupId: string;
    };
    body: {
      fileId: string;
      variables?: ({
        name: string;
        column: number;
      })[] | undefined;
      onDuplicate?: "keep" | "overwrite" | undefined;
    };
    result: {
      importId: string;
      kind: "file" | "task" | "merge" | "intersect" | "subtract" | "optOut" | "consent";
      state: "waiting" | "done" | "fail";
      error: string | null;
      progress: number;
      totalCount: number;
      addedCount: number;
      updatedCount: number;
      keptCount: number;
      file: {
        fileId: string;
        fileName: string;
        rejectedCount: number;
        duplicateCount: number;
      } | null;
      createTime: string;
      endTime: string | null;
    };
  };
  /** Numbers that refused marketing, newest first */
  'GET /opt-outs': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-time" | "time" | undefined;
      customerId?: string | undefined;
      mobileNumber?: string | undefined;
      source?: "reply" | "hand" | "file" | undefined;
    } | undefined;
    result: {
      items: ({
        mobileNumber: string;
        source: string;
        evidence: string | null;
        addedBy: string | null;
        time: string;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Put up to 1,000 numbers on the list; those on it stay as they are */
  'POST /opt-outs': {
    body: {
      mobileNumbers: string[];
      evidence?: string | undefined;
    };
    result: {
      addedCount: number;
      keptCount: number;
      rejected: ({
        index: number;
        reason: string;
      })[];
    };
  };
  /** Take one number off the list, with the reason */
  'POST /opt-outs/remove': {
    body: {
      mobileNumber: string;
      reason: string;
    };
    result: void;
  };
  /** Put the numbers of an uploaded file on the list */
  'POST /opt-outs/import': {
    body: {
      fileId: string;
      evidence?: string | undefined;
    };
    result: {
      importId: string;
      kind: "file" | "task" | "merge" | "intersect" | "subtract" | "optOut" | "consent";
      state: "waiting" | "done" | "fail";
      error: string | null;
      progress: number;
      totalCount: number;
      addedCount: number;
      updatedCount: number;
      keptCount: number;
      file: {
        fileId: string;
        fileName: string;
        rejectedCount: number;
        duplicateCount: number;
      } | null;
      createTime: string;
      endTime: string | null;
    };
  };
  /** The latest ten files put on the list */
  'GET /opt-outs/imports': {
    query?: {
      customerId?: string | undefined;
    } | undefined;
    result: {
      items: ({
        importId: string;
        kind: "file" | "task" | "merge" | "intersect" | "subtract" | "optOut" | "consent";
        state: "waiting" | "done" | "fail";
        error: string | null;
        progress: number;
        totalCount: number;
        addedCount: number;
        updatedCount: number;
        keptCount: number;
        file: {
          fileId: string;
          fileName: string;
          rejectedCount: number;
          duplicateCount: number;
        } | null;
        createTime: string;
        endTime: string | null;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Evidence of consent by phone, newest first */
  'GET /consents': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-createTime" | "createTime" | undefined;
      customerId?: string | undefined;
      mobileNumber?: string | undefined;
      source?: "web" | "store" | "paper" | "sms" | "call" | "app" | "import" | "other" | undefined;
      state?: "inForce" | "withdrawn" | undefined;
    } | undefined;
    result: {
      items: ({
        evidenceId: string;
        mobileNumber: string;
        source: "web" | "store" | "paper" | "sms" | "call" | "app" | "import" | "other";
        givenTime: string;
        wording: string;
        fileName: string | null;
        addedBy: string | null;
        createTime: string;
        withdrawTime: string | null;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Record the consent of up to 1,000 numbers with one piece of evidence */
  'POST /consents': {
    body: {
      mobileNumbers: string[];
      givenTime: string;
      source: "web" | "store" | "paper" | "sms" | "call" | "app" | "import" | "other";
      wording: string;
      file?: {
        name: string;
        content: string;
      } | undefined;
    };
    result: {
      addedCount: number;
      keptCount: number;
      rejected: ({
        index: number;
        reason: string;
      })[];
    };
  };
  /** Record the consent of the numbers of an uploaded file */
  'POST /consents/import': {
    body: {
      fileId: string;
      givenTime: string;
      timeColumn?: number | undefined;
      source: "web" | "store" | "paper" | "sms" | "call" | "app" | "import" | "other";
      wording: string;
      file?: {
        name: string;
        content: string;
      } | undefined;
    };
    result: {
      importId: string;
      kind: "file" | "task" | "merge" | "intersect" | "subtract" | "optOut" | "consent";
      state: "waiting" | "done" | "fail";
      error: string | null;
      progress: number;
      totalCount: number;
      addedCount: number;
      updatedCount: number;
      keptCount: number;
      file: {
        fileId: string;
        fileName: string;
        rejectedCount: number;
        duplicateCount: number;
      } | null;
      createTime: string;
      endTime: string | null;
    };
  };
  /** The latest ten files of consent */
  'GET /consents/imports': {
    query?: {
      customerId?: string | undefined;
    } | undefined;
    result: {
      items: ({
        importId: string;
        kind: "file" | "task" | "merge" | "intersect" | "subtract" | "optOut" | "consent";
        state: "waiting" | "done" | "fail";
        error: string | null;
        progress: number;
        totalCount: number;
        addedCount: number;
        updatedCount: number;
        keptCount: number;
        file: {
          fileId: string;
          fileName: string;
          rejectedCount: number;
          duplicateCount: number;
        } | null;
        createTime: string;
        endTime: string | null;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Withdraw the consent of one number, with the reason; the evidence is kept */
  'POST /consents/withdraw': {
    body: {
      mobileNumber: string;
      reason: string;
    };
    result: void;
  };
  /** The file of a piece of evidence */
  'GET /consents/{evidenceId}/file': {
    params: {
      evidenceId: string;
    };
    result: {
      name: string;
      type: "application/pdf" | "image/png" | "image/jpeg";
      content: string;
    };
  };
  /** Texts that phones sent back, newest first */
  'GET /inbound': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-time" | "time" | undefined;
      customerId?: string | undefined;
      mobileNumber?: string | undefined;
      destination?: string | undefined;
      appId?: string | undefined;
      taskId?: string | undefined;
      optOut?: 0 | 1 | undefined;
      from?: string | undefined;
      to?: string | undefined;
    } | undefined;
    result: {
      items: ({
        inboundId: string;
        time: string;
        mobileNumber: string;
        destination: string;
        content: string;
        optOut: 0 | 1;
        messageId: string | null;
        appId: string | null;
        taskId: string | null;
        taskName: string | null;
        operator?: string | undefined;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** One text, with the message it answers */
  'GET /inbound/{inboundId}': {
    params: {
      inboundId: string;
    };
    query?: {
      customerId?: string | undefined;
    } | undefined;
    result: {
      inboundId: string;
      time: string;
      mobileNumber: string;
      destination: string;
      content: string;
      optOut: 0 | 1;
      messageId: string | null;
      appId: string | null;
      taskId: string | null;
      taskName: string | null;
      operator?: string | undefined;
      answered: {
        messageId: string;
        clientSid: string;
        fullMessage: string;
        clientRequestTime: string;
        smsType: 1 | 2 | 3;
        clientStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
      } | null;
      optOutTime: string | null;
    };
  };
  /** Replies by phone and application, the last reply first */
  'GET /conversations': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-lastTime" | "lastTime" | undefined;
      mobileNumber?: string | undefined;
      /** A part of the last reply, in any case; looked for in the newest 100,000 conversations. */
      text?: string | undefined;
      /** Those with replies that are not read. */
      unread?: "1" | undefined;
      /** `me`: those assigned to the user of the call, none for software; `none`: those assigned to no one. */
      assigned?: "me" | "none" | undefined;
      appId?: string | undefined;
    } | undefined;
    result: {
      items: ({
        conversationId: string;
        mobileNumber: string;
        appId: string;
        /** When its last reply was received. */
        lastTime: string;
        lastText: string;
        destination: string;
        /** 1: the last reply is an opt-out keyword. */
        optOut: 0 | 1;
        unread: number;
        /** Who of the team answers the phone; null: no one yet. */
        assignee: {
          userId: string;
          name: string;
        } | null;
        /** Until then it can be answered with a text of one’s own: 24 hours after its last reply. */
        replyUntil: string;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** One conversation */
  'GET /conversations/{conversationId}': {
    params: {
      conversationId: string;
    };
    result: {
      conversationId: string;
      mobileNumber: string;
      appId: string;
      /** When its last reply was received. */
      lastTime: string;
      lastText: string;
      destination: string;
      /** 1: the last reply is an opt-out keyword. */
      optOut: 0 | 1;
      unread: number;
      /** Who of the team answers the phone; null: no one yet. */
      assignee: {
        userId: string;
        name: string;
      } | null;
      /** Until then it can be answered with a text of one’s own: 24 hours after its last reply. */
      replyUntil: string;
    };
  };
  /** What the phone got from the application and what it replied, newest first */
  'GET /conversations/{conversationId}/entries': {
    params: {
      conversationId: string;
    };
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-time" | undefined;
    } | undefined;
    result: {
      items: ({
        kind: "reply";
        time: string;
        content: string;
        inboundId: string;
        destination: string;
        optOut: 0 | 1;
        /** Keyword whose rule answered the reply; null: none did. */
        answeredBy: string | null;
        /** Why the automatic answer was not sent, as a code; null: it was, or there is none. */
        answerRefusal: string | null;
      } | {
        kind: "message";
        time: string;
        content: string;
        messageId: string;
        clientSid: string;
        smsType: 1 | 2 | 3;
        sendStatus: 0 | 1 | 2 | 3;
        clientStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
        dealResult: string;
        /** The task that it was sent with; null: none. */
        taskName: string | null;
        /** Keyword that the message answers automatically; null: it is no such answer. */
        automaticFor: string | null;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Mark the replies of a conversation as read, up to the newest that was seen */
  'POST /conversations/{conversationId}/read': {
    params: {
      conversationId: string;
    };
    body: {
      /** The newest reply that was seen. */
      inboundId: string;
    };
    result: {
      conversationId: string;
      mobileNumber: string;
      appId: string;
      /** When its last reply was received. */
      lastTime: string;
      lastText: string;
      destination: string;
      /** 1: the last reply is an opt-out keyword. */
      optOut: 0 | 1;
      unread: number;
      /** Who of the team answers the phone; null: no one yet. */
      assignee: {
        userId: string;
        name: string;
      } | null;
      /** Until then it can be answered with a text of one’s own: 24 hours after its last reply. */
      replyUntil: string;
    };
  };
  /** Rules that answer phones by keyword, by application in their order */
  'GET /keyword-rules': {
    query?: {
      appId?: string | undefined;
    } | undefined;
    result: {
      keywordRules: ({
        ruleId: string;
        appId: string;
        /** Each is compared with the whole text, in any case; `*` stands for any text. */
        keywords: string[];
        /** An approved template of the application without variables. */
        templateId: string;
        /** When it answers; null: all day. */
        hours: {
          /** Hour of the Manila day at which the rule begins to answer. */
          from: number;
          /** Hour of the Manila day at which it ends; before `from`: of the next day. */
          to: number;
        } | null;
        /** 1: it answers; 0: it is off. */
        useState: 0 | 1;
        /** Null: the template was deleted; the rule answers nothing. */
        templateName: string | null;
      })[];
    };
  };
  /** Answer keywords with a template; the rule comes last in its application */
  'POST /keyword-rules': {
    body: {
      appId: string;
      /** Each is compared with the whole text, in any case; `*` stands for any text. */
      keywords: string[];
      /** An approved template of the application without variables. */
      templateId: string;
      /** When it answers; null: all day. */
      hours?: {
        /** Hour of the Manila day at which the rule begins to answer. */
        from: number;
        /** Hour of the Manila day at which it ends; before `from`: of the next day. */
        to: number;
      } | null | undefined;
      /** 1: it answers; 0: it is off. */
      useState?: 0 | 1 | undefined;
    };
    result: {
      ruleId: string;
      appId: string;
      /** Each is compared with the whole text, in any case; `*` stands for any text. */
      keywords: string[];
      /** An approved template of the application without variables. */
      templateId: string;
      /** When it answers; null: all day. */
      hours: {
        /** Hour of the Manila day at which the rule begins to answer. */
        from: number;
        /** Hour of the Manila day at which it ends; before `from`: of the next day. */
        to: number;
      } | null;
      /** 1: it answers; 0: it is off. */
      useState: 0 | 1;
      /** Null: the template was deleted; the rule answers nothing. */
      templateName: string | null;
    };
  };
  /** Change a keyword rule, its place in the order included */
  'PATCH /keyword-rules/{ruleId}': {
    params: {
      ruleId: string;
    };
    body: {
      /** Each is compared with the whole text, in any case; `*` stands for any text. */
      keywords?: string[] | undefined;
      /** An approved template of the application without variables. */
      templateId?: string | undefined;
      /** When it answers; null: all day. */
      hours?: {
        /** Hour of the Manila day at which the rule begins to answer. */
        from: number;
        /** Hour of the Manila day at which it ends; before `from`: of the next day. */
        to: number;
      } | null | undefined;
      /** 1: it answers; 0: it is off. */
      useState?: 0 | 1 | undefined;
      /** How many rules come before it. */
      place?: number | undefined;
    };
    result: {
      ruleId: string;
      appId: string;
      /** Each is compared with the whole text, in any case; `*` stands for any text. */
      keywords: string[];
      /** An approved template of the application without variables. */
      templateId: string;
      /** When it answers; null: all day. */
      hours: {
        /** Hour of the Manila day at which the rule begins to answer. */
        from: number;
        /** Hour of the Manila day at which it ends; before `from`: of the next day. */
        to: number;
      } | null;
      /** 1: it answers; 0: it is off. */
      useState: 0 | 1;
      /** Null: the template was deleted; the rule answers nothing. */
      templateName: string | null;
    };
  };
  /** Delete a keyword rule */
  'DELETE /keyword-rules/{ruleId}': {
    params: {
      ruleId: string;
    };
    result: void;
  };
  /** Which rule would answer a text now; nothing is stored or sent */
  'POST /keyword-rules/test': {
    body: {
      appId: string;
      /** Text of a phone. */
      content: string;
    };
    result: {
      /** The text opts out: no rule answers it. */
      isOptOut: boolean;
      /** The rule that answers; null: none. */
      rule: {
        ruleId: string;
        appId: string;
        /** Each is compared with the whole text, in any case; `*` stands for any text. */
        keywords: string[];
        /** An approved template of the application without variables. */
        templateId: string;
        /** When it answers; null: all day. */
        hours: {
          /** Hour of the Manila day at which the rule begins to answer. */
          from: number;
          /** Hour of the Manila day at which it ends; before `from`: of the next day. */
          to: number;
        } | null;
        /** 1: it answers; 0: it is off. */
        useState: 0 | 1;
        /** Null: the template was deleted; the rule answers nothing. */
        templateName: string | null;
      } | null;
    };
  };
  /** When my marketing waits */
  'GET /quiet-hours': {
    result: {
      from: number;
      to: number;
      isExempt: boolean;
    };
  };
  /** Every message, however it was submitted, newest first */
  'GET /records': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-clientRequestTime" | undefined;
      phoneAddress?: string | undefined;
      clientSid?: string | undefined;
      sendStatus?: string | undefined;
      clientStatus?: string | undefined;
      smsType?: string | undefined;
      carrier?: "Globe" | "Smart" | "DITO" | "unknown" | undefined;
      areaCode?: string | undefined;
      taskId?: string | undefined;
      templateId?: string | undefined;
      appId?: string | undefined;
      messageId?: string | undefined;
      clientRef?: string | undefined;
      tag?: string | undefined;
      customerId?: string | undefined;
      routeId?: string | undefined;
      from?: string | undefined;
      to?: string | undefined;
      messageIds?: string | undefined;
      /** For people of customers: what was sent with test keys, and nothing else. */
      test?: "1" | undefined;
    } | undefined;
    result: {
      items: ({
        messageId: string;
        clientRequestTime: string;
        phoneAddress: string;
        areaCode: string;
        clientSid: string;
        sendStatus: 0 | 1 | 2 | 3;
        clientStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
        dealResult: string;
        carrierCode: string | null;
        taskId: string | null;
        taskName: string | null;
        templateId: string | null;
        templateName: string | null;
        appId: string;
        smsType: 1 | 2 | 3;
        fullMessage: string;
        submissionTime: string | null;
        clientReportTime: string | null;
        pkgTotal: number;
        carrier: string | null;
        supplierAccount?: string | undefined;
        operator?: string | undefined;
        routeId?: string | undefined;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
      searchedTo: string | null;
    };
  };
  /** How many messages a filter of the list leaves, with their segments and their cost */
  'GET /records/totals': {
    query?: {
      phoneAddress?: string | undefined;
      clientSid?: string | undefined;
      sendStatus?: string | undefined;
      clientStatus?: string | undefined;
      smsType?: string | undefined;
      carrier?: "Globe" | "Smart" | "DITO" | "unknown" | undefined;
      areaCode?: string | undefined;
      taskId?: string | undefined;
      templateId?: string | undefined;
      appId?: string | undefined;
      messageId?: string | undefined;
      clientRef?: string | undefined;
      tag?: string | undefined;
      customerId?: string | undefined;
      routeId?: string | undefined;
      from?: string | undefined;
      to?: string | undefined;
      /** For people of customers: what was sent with test keys, and nothing else. */
      test?: "1" | undefined;
    } | undefined;
    result: {
      messages: number | null;
      chargedSegments: number | null;
      chargedCost: number | null;
    };
  };
  /** One message's whole life */
  'GET /records/{messageId}': {
    params: {
      messageId: string;
    };
    query?: {
      /** For people of customers: what was sent with test keys, and nothing else. */
      test?: "1" | undefined;
    } | undefined;
    result: {
      messageId: string;
      clientRequestTime: string;
      phoneAddress: string;
      areaCode: string;
      clientSid: string;
      sendStatus: 0 | 1 | 2 | 3;
      clientStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
      dealResult: string;
      carrierCode: string | null;
      taskId: string | null;
      taskName: string | null;
      templateId: string | null;
      templateName: string | null;
      appId: string;
      smsType: 1 | 2 | 3;
      fullMessage: string;
      submissionTime: string | null;
      clientReportTime: string | null;
      pkgTotal: number;
      carrier: string | null;
      supplierAccount?: string | undefined;
      operator?: string | undefined;
      routeId?: string | undefined;
      rangeHolder: string | null;
      chargeType: "SenderPays" | "ReceiverPays";
      price: number;
      chargedCost: number;
      life: ({
        step: "accepted" | "submitted" | "answered" | "unconfirmed" | "receipt" | "blocked";
        time: string;
        code: string | null;
      })[];
      callbacks: ({
        eventId: string;
        time: string;
        state: "waiting" | "delivered" | "givenUp";
        clientStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | null;
        attempts: number;
        lastTime: string | null;
        lastStatus: number | null;
        lastError: "addressRefused" | "nameNotFound" | "unreachable" | "tls" | "timeout" | "closed" | "redirect" | "gone" | "status" | "challenge" | null;
        nextTryTime: string | null;
        deliverTime: string | null;
      })[];
    };
  };
  /** The number and the text of one message as they are; on record in the audit log of its customer */
  'POST /records/{messageId}/unmask': {
    params: {
      messageId: string;
    };
    result: {
      phoneAddress: string;
      fullMessage: string;
    };
  };
  /** Figures of messages by time, application, country, carrier and sender ID */
  'GET /statistics': {
    query?: {
      metrics?: string | undefined;
      dimensions?: string | undefined;
      appId?: string | undefined;
      areaCode?: string | undefined;
      carrier?: "Globe" | "Smart" | "DITO" | "unknown" | undefined;
      clientSid?: string | undefined;
      customerId?: string | undefined;
      routeId?: string | undefined;
      /** For people of customers: what was sent with test keys, and nothing else. */
      test?: "1" | undefined;
      preset?: "last24Hours" | "last7Days" | "last14Days" | "lastMonth" | "last3Months" | undefined;
      from?: string | undefined;
      to?: string | undefined;
      unit?: "0" | "1" | "2" | undefined;
      zone?: string | undefined;
      compare?: "0" | "1" | undefined;
    } | undefined;
    result: {
      from: string;
      to: string;
      times: string[];
      totals: {
        reqTotalNum: number;
        reqSuccessNum: number;
        reqFailNum: number;
        reqInFlightNum: number;
        reqBlockedNum: number;
        reqSuccessRate: number | null;
        reqFailRate: number | null;
        receiptSuccessNum: number;
        receiptFailNum: number;
        receiptUnknownNum: number;
        receiptAwaitedNum: number;
        receiptSuccessRate: number | null;
        receiptFailRate: number | null;
      };
      items: ({
        logDate?: string | undefined;
        appId?: string | undefined;
        areaCode?: string | undefined;
        carrier?: string | null | undefined;
        clientSid?: string | undefined;
        customerId?: string | undefined;
        routeId?: string | undefined;
        isOthers?: true | undefined;
        reqTotalNum: number;
        reqSuccessNum: number;
        reqFailNum: number;
        reqInFlightNum: number;
        reqBlockedNum: number;
        reqSuccessRate: number | null;
        reqFailRate: number | null;
        receiptSuccessNum: number;
        receiptFailNum: number;
        receiptUnknownNum: number;
        receiptAwaitedNum: number;
        receiptSuccessRate: number | null;
        receiptFailRate: number | null;
      })[];
      zone: string;
      unit: 0 | 1 | 2;
      isShortened: boolean;
      largestGroups: number | null;
      names: Record<string, string>;
      before: {
        from: string;
        to: string;
        times: string[];
        totals: {
          reqTotalNum: number;
          reqSuccessNum: number;
          reqFailNum: number;
          reqInFlightNum: number;
          reqBlockedNum: number;
          reqSuccessRate: number | null;
          reqFailRate: number | null;
          receiptSuccessNum: number;
          receiptFailNum: number;
          receiptUnknownNum: number;
          receiptAwaitedNum: number;
          receiptSuccessRate: number | null;
          receiptFailRate: number | null;
        };
        items: ({
          logDate?: string | undefined;
          appId?: string | undefined;
          areaCode?: string | undefined;
          carrier?: string | null | undefined;
          clientSid?: string | undefined;
          customerId?: string | undefined;
          routeId?: string | undefined;
          isOthers?: true | undefined;
          reqTotalNum: number;
          reqSuccessNum: number;
          reqFailNum: number;
          reqInFlightNum: number;
          reqBlockedNum: number;
          reqSuccessRate: number | null;
          reqFailRate: number | null;
          receiptSuccessNum: number;
          receiptFailNum: number;
          receiptUnknownNum: number;
          receiptAwaitedNum: number;
          receiptSuccessRate: number | null;
          receiptFailRate: number | null;
        })[];
      } | null;
    };
  };
  /** Send one message or up to 1,000; answered once they are durable */
  'POST /messages': {
    body: {
      /** The phone, in any spelling that a file may have: +639171234567, 0917 123 4567. With a test key no phone receives anything, and the last digit of 0974 000 0000 to 0974 000 0007 chooses the outcome: /docs/test-mode. */
      to: string;
      /** A sender ID or number of the application. Default: its first one that may send. */
      senderId?: string | undefined;
      /** Seconds after which the message is not sent any more, if no carrier has it by then. At most, and by default, what its application allows: 300 for a code and 86,400 for a notification, or less. Not sent in time: clientStatus 7, dealResult NOT_SENT_IN_TIME, not charged. */
      validFor?: number | undefined;
      /** Your own reference of the message, up to 64 characters. Found by it in GET /messages and in the records of the console. Do not use phone numbers or names. */
      clientRef?: string | undefined;
      /** True: refused with CLIENT_REF_TAKEN if the application gave this clientRef to a message that is still stored. */
      clientRefUnique?: boolean | undefined;
      /** The instant from which the message may be sent, up to 7 days ahead; it is charged for and held until then, and can be cancelled. Quiet hours and limits apply as to any. With it, validFor counts from then. */
      sendAt?: string | undefined;
      /** Up to 5 words by which GET /messages finds the message. */
      tags?: string[] | undefined;
      /** The text of the phone in `to` that the message answers (inboundId). Its default sender ID is then the address to which that text was sent, if the application may send from it. */
      replyTo?: string | undefined;
      /** Receives the callbacks of this message instead of the callback URL of the application, at whose scheme, host and port it must be. That URL must have passed its test and receive message.status; its secret signs. */
      callbackUrl?: string | undefined;
      /** Form of callbacks to callbackUrl; default pahatid. twilio: a form with the names of Twilio, signed with X-Twilio-Signature. */
      callbackFormat?: "pahatid" | "twilio" | undefined;
      smsType: 1 | 2 | 3;
      /** The whole text, at most 500 characters. */
      content: string;
    } | {
      /** The phone, in any spelling that a file may have: +639171234567, 0917 123 4567. With a test key no phone receives anything, and the last digit of 0974 000 0000 to 0974 000 0007 chooses the outcome: /docs/test-mode. */
      to: string;
      /** A sender ID or number of the application. Default: its first one that may send. */
      senderId?: string | undefined;
      /** Seconds after which the message is not sent any more, if no carrier has it by then. At most, and by default, what its application allows: 300 for a code and 86,400 for a notification, or less. Not sent in time: clientStatus 7, dealResult NOT_SENT_IN_TIME, not charged. */
      validFor?: number | undefined;
      /** Your own reference of the message, up to 64 characters. Found by it in GET /messages and in the records of the console. Do not use phone numbers or names. */
      clientRef?: string | undefined;
      /** True: refused with CLIENT_REF_TAKEN if the application gave this clientRef to a message that is still stored. */
      clientRefUnique?: boolean | undefined;
      /** The instant from which the message may be sent, up to 7 days ahead; it is charged for and held until then, and can be cancelled. Quiet hours and limits apply as to any. With it, validFor counts from then. */
      sendAt?: string | undefined;
      /** Up to 5 words by which GET /messages finds the message. */
      tags?: string[] | undefined;
      /** The text of the phone in `to` that the message answers (inboundId). Its default sender ID is then the address to which that text was sent, if the application may send from it. */
      replyTo?: string | undefined;
      /** Receives the callbacks of this message instead of the callback URL of the application, at whose scheme, host and port it must be. That URL must have passed its test and receive message.status; its secret signs. */
      callbackUrl?: string | undefined;
      /** Form of callbacks to callbackUrl; default pahatid. twilio: a form with the names of Twilio, signed with X-Twilio-Signature. */
      callbackFormat?: "pahatid" | "twilio" | undefined;
      smsType?: 1 | 2 | 3 | undefined;
      templateId: string;
      /** Values of the variables, in the order of their numbers: `variables[0]` fills {1}. */
      variables?: string[] | undefined;
    } | {
      messages: ({
        /** The phone, in any spelling that a file may have: +639171234567, 0917 123 4567. With a test key no phone receives anything, and the last digit of 0974 000 0000 to 0974 000 0007 chooses the outcome: /docs/test-mode. */
        to: string;
        /** A sender ID or number of the application. Default: its first one that may send. */
        senderId?: string | undefined;
        /** Seconds after which the message is not sent any more, if no carrier has it by then. At most, and by default, what its application allows: 300 for a code and 86,400 for a notification, or less. Not sent in time: clientStatus 7, dealResult NOT_SENT_IN_TIME, not charged. */
        validFor?: number | undefined;
        /** Your own reference of the message, up to 64 characters. Found by it in GET /messages and in the records of the console. Do not use phone numbers or names. */
        clientRef?: string | undefined;
        /** True: refused with CLIENT_REF_TAKEN if the application gave this clientRef to a message that is still stored. */
        clientRefUnique?: boolean | undefined;
        /** The instant from which the message may be sent, up to 7 days ahead; it is charged for and held until then, and can be cancelled. Quiet hours and limits apply as to any. With it, validFor counts from then. */
        sendAt?: string | undefined;
        /** Up to 5 words by which GET /messages finds the message. */
        tags?: string[] | undefined;
        /** The text of the phone in `to` that the message answers (inboundId). Its default sender ID is then the address to which that text was sent, if the application may send from it. */
        replyTo?: string | undefined;
        /** Receives the callbacks of this message instead of the callback URL of the application, at whose scheme, host and port it must be. That URL must have passed its test and receive message.status; its secret signs. */
        callbackUrl?: string | undefined;
        /** Form of callbacks to callbackUrl; default pahatid. twilio: a form with the names of Twilio, signed with X-Twilio-Signature. */
        callbackFormat?: "pahatid" | "twilio" | undefined;
        smsType: 1 | 2 | 3;
        /** The whole text, at most 500 characters. */
        content: string;
      } | {
        /** The phone, in any spelling that a file may have: +639171234567, 0917 123 4567. With a test key no phone receives anything, and the last digit of 0974 000 0000 to 0974 000 0007 chooses the outcome: /docs/test-mode. */
        to: string;
        /** A sender ID or number of the application. Default: its first one that may send. */
        senderId?: string | undefined;
        /** Seconds after which the message is not sent any more, if no carrier has it by then. At most, and by default, what its application allows: 300 for a code and 86,400 for a notification, or less. Not sent in time: clientStatus 7, dealResult NOT_SENT_IN_TIME, not charged. */
        validFor?: number | undefined;
        /** Your own reference of the message, up to 64 characters. Found by it in GET /messages and in the records of the console. Do not use phone numbers or names. */
        clientRef?: string | undefined;
        /** True: refused with CLIENT_REF_TAKEN if the application gave this clientRef to a message that is still stored. */
        clientRefUnique?: boolean | undefined;
        /** The instant from which the message may be sent, up to 7 days ahead; it is charged for and held until then, and can be cancelled. Quiet hours and limits apply as to any. With it, validFor counts from then. */
        sendAt?: string | undefined;
        /** Up to 5 words by which GET /messages finds the message. */
        tags?: string[] | undefined;
        /** The text of the phone in `to` that the message answers (inboundId). Its default sender ID is then the address to which that text was sent, if the application may send from it. */
        replyTo?: string | undefined;
        /** Receives the callbacks of this message instead of the callback URL of the application, at whose scheme, host and port it must be. That URL must have passed its test and receive message.status; its secret signs. */
        callbackUrl?: string | undefined;
        /** Form of callbacks to callbackUrl; default pahatid. twilio: a form with the names of Twilio, signed with X-Twilio-Signature. */
        callbackFormat?: "pahatid" | "twilio" | undefined;
        smsType?: 1 | 2 | 3 | undefined;
        templateId: string;
        /** Values of the variables, in the order of their numbers: `variables[0]` fills {1}. */
        variables?: string[] | undefined;
      })[];
    };
    result: {
      messageId: string;
      pkgTotal: number;
      /** The sender ID that it shows; only if the call named none. */
      clientSid?: string | undefined;
      /** Only of a message that is held. */
      hold?: {
        /** sendAt: as asked for; quietHours: marketing at night; application, customer: disabled or paused; task: paused; carrier: none can be reached; restore: paused after a restore of the database. */
        reason: "sendAt" | "quietHours" | "application" | "customer" | "task" | "carrier" | "restore";
        /** The first instant at which it may be sent; null: it ends by an action. */
        until: string | null;
      } | undefined;
    } | {
      acceptedCount: number;
      refusedCount: number;
      messages: ({
        messageId: string;
        pkgTotal: number;
        /** The sender ID that it shows; only if the call named none. */
        clientSid?: string | undefined;
        /** Only of a message that is held. */
        hold?: {
          /** sendAt: as asked for; quietHours: marketing at night; application, customer: disabled or paused; task: paused; carrier: none can be reached; restore: paused after a restore of the database. */
          reason: "sendAt" | "quietHours" | "application" | "customer" | "task" | "carrier" | "restore";
          /** The first instant at which it may be sent; null: it ends by an action. */
          until: string | null;
        } | undefined;
      } | {
        error: {
          code: string;
          params?: Record<string, string | number> | undefined;
          errors?: ({
            field: string;
            code: string;
            params?: Record<string, string | number> | undefined;
          })[] | undefined;
        };
      })[];
    };
  };
  /** Show what a message would be and cost, and when it would go; nothing is stored or sent */
  'POST /messages/preview': {
    body: {
      /** The phone, in any spelling that a file may have: +639171234567, 0917 123 4567. With a test key no phone receives anything, and the last digit of 0974 000 0000 to 0974 000 0007 chooses the outcome: /docs/test-mode. */
      to: string;
      /** A sender ID or number of the application. Default: its first one that may send. */
      senderId?: string | undefined;
      /** Seconds after which the message is not sent any more, if no carrier has it by then. At most, and by default, what its application allows: 300 for a code and 86,400 for a notification, or less. Not sent in time: clientStatus 7, dealResult NOT_SENT_IN_TIME, not charged. */
      validFor?: number | undefined;
      /** Your own reference of the message, up to 64 characters. Found by it in GET /messages and in the records of the console. Do not use phone numbers or names. */
      clientRef?: string | undefined;
      /** True: refused with CLIENT_REF_TAKEN if the application gave this clientRef to a message that is still stored. */
      clientRefUnique?: boolean | undefined;
      /** The instant from which the message may be sent, up to 7 days ahead; it is charged for and held until then, and can be cancelled. Quiet hours and limits apply as to any. With it, validFor counts from then. */
      sendAt?: string | undefined;
      /** Up to 5 words by which GET /messages finds the message. */
      tags?: string[] | undefined;
      /** The text of the phone in `to` that the message answers (inboundId). Its default sender ID is then the address to which that text was sent, if the application may send from it. */
      replyTo?: string | undefined;
      /** Receives the callbacks of this message instead of the callback URL of the application, at whose scheme, host and port it must be. That URL must have passed its test and receive message.status; its secret signs. */
      callbackUrl?: string | undefined;
      /** Form of callbacks to callbackUrl; default pahatid. twilio: a form with the names of Twilio, signed with X-Twilio-Signature. */
      callbackFormat?: "pahatid" | "twilio" | undefined;
      smsType: 1 | 2 | 3;
      /** The whole text, at most 500 characters. */
      content: string;
    } | {
      /** The phone, in any spelling that a file may have: +639171234567, 0917 123 4567. With a test key no phone receives anything, and the last digit of 0974 000 0000 to 0974 000 0007 chooses the outcome: /docs/test-mode. */
      to: string;
      /** A sender ID or number of the application. Default: its first one that may send. */
      senderId?: string | undefined;
      /** Seconds after which the message is not sent any more, if no carrier has it by then. At most, and by default, what its application allows: 300 for a code and 86,400 for a notification, or less. Not sent in time: clientStatus 7, dealResult NOT_SENT_IN_TIME, not charged. */
      validFor?: number | undefined;
      /** Your own reference of the message, up to 64 characters. Found by it in GET /messages and in the records of the console. Do not use phone numbers or names. */
      clientRef?: string | undefined;
      /** True: refused with CLIENT_REF_TAKEN if the application gave this clientRef to a message that is still stored. */
      clientRefUnique?: boolean | undefined;
      /** The instant from which the message may be sent, up to 7 days ahead; it is charged for and held until then, and can be cancelled. Quiet hours and limits apply as to any. With it, validFor counts from then. */
      sendAt?: string | undefined;
      /** Up to 5 words by which GET /messages finds the message. */
      tags?: string[] | undefined;
      /** The text of the phone in `to` that the message answers (inboundId). Its default sender ID is then the address to which that text was sent, if the application may send from it. */
      replyTo?: string | undefined;
      /** Receives the callbacks of this message instead of the callback URL of the application, at whose scheme, host and port it must be. That URL must have passed its test and receive message.status; its secret signs. */
      callbackUrl?: string | undefined;
      /** Form of callbacks to callbackUrl; default pahatid. twilio: a form with the names of Twilio, signed with X-Twilio-Signature. */
      callbackFormat?: "pahatid" | "twilio" | undefined;
      smsType?: 1 | 2 | 3 | undefined;
      templateId: string;
      /** Values of the variables, in the order of their numbers: `variables[0]` fills {1}. */
      variables?: string[] | undefined;
    };
    result: {
      /** Why POST /messages would refuse it now; null: it would be accepted. */
      refusal: {
        code: string;
        params?: Record<string, string | number> | undefined;
        errors?: ({
          field: string;
          code: string;
          params?: Record<string, string | number> | undefined;
        })[] | undefined;
      } | null;
      /** The number with its country code; null: it is none. */
      phoneAddress: string | null;
      /** Country of the number; null: it is none. */
      areaCode: string | null;
      /** Carrier to which the range of the number was assigned; null: not known. */
      carrier: string | null;
      /** The sender ID that it would have; null: not known because of the refusal. */
      clientSid: string | null;
      smsType: 1 | 2 | 3 | null;
      /** The text as it would be sent; null: a template that cannot be filled in. */
      content: string | null;
      /** UCS-2 if a character is not of the GSM 7-bit alphabet. */
      encoding: "GSM-7" | "UCS-2" | null;
      /** Characters of the text, as a person counts them. */
      characters: number | null;
      /** Segments of the text. */
      pkgTotal: number | null;
      /** Price of a segment, 1/10,000 PHP; null: not known because of the refusal. */
      price: number | null;
      /** Price of all its segments, 1/10,000 PHP; null: not known because of the refusal. */
      cost: number | null;
      /** What the rules of texts find in `content`; of a template they were checked with it. */
      findings: ({
        code: string;
        /** error: it is refused with CONTENT_INVALID; warning: it may be sent. */
        severity: "error" | "warning";
        /** Where it begins in the given text, in UTF-16 units. */
        from: number;
        /** Where it ends, in UTF-16 units. */
        to: number;
        params?: Record<string, string | number> | undefined;
      })[];
      /** Until when it would be held, and why; null: it is not, or is refused. */
      hold: {
        /** sendAt: as asked for; quietHours: marketing at night; application, customer: disabled or paused; task: paused; carrier: none can be reached; restore: paused after a restore of the database. */
        reason: "sendAt" | "quietHours" | "application" | "customer" | "task" | "carrier" | "restore";
        /** The first instant at which it may be sent; null: it ends by an action. */
        until: string | null;
      } | null;
    };
  };
  /** Report that the code of a message was entered; with that, codes that nobody enters are noticed */
  'POST /messages/{messageId}/conversion': {
    params: {
      messageId: string;
    };
    result: void;
  };
  /** Messages of the application, however they were submitted, newest first */
  'GET /messages': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-clientRequestTime" | undefined;
      phoneAddress?: string | undefined;
      clientSid?: string | undefined;
      sendStatus?: string | undefined;
      clientStatus?: string | undefined;
      smsType?: string | undefined;
      carrier?: "Globe" | "Smart" | "DITO" | "unknown" | undefined;
      areaCode?: string | undefined;
      taskId?: string | undefined;
      templateId?: string | undefined;
      clientRef?: string | undefined;
      tag?: string | undefined;
      from?: string | undefined;
      to?: string | undefined;
    } | undefined;
    result: {
      items: ({
        messageId: string;
        clientRequestTime: string;
        phoneAddress: string;
        areaCode: string;
        clientSid: string;
        sendStatus: 0 | 1 | 2 | 3;
        clientStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
        dealResult: string;
        carrierCode: string | null;
        taskId: string | null;
        templateId: string | null;
        appId: string;
        smsType: 1 | 2 | 3;
        fullMessage: string;
        submissionTime: string | null;
        clientReportTime: string | null;
        pkgTotal: number;
        carrier: string | null;
        clientRef: string | null;
        tags: string[];
        sendAt: string | null;
        /** The text of the phone that it answers. */
        replyTo: string | null;
        /** What was charged so far, 1/10,000 PHP. */
        chargedCost: number;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
      searchedTo: string | null;
    };
  };
  /** Cancel a message that has not been handed over: it is not sent and not charged */
  'DELETE /messages/{messageId}': {
    params: {
      messageId: string;
    };
    result: void;
  };
  /** One message's whole life */
  'GET /messages/{messageId}': {
    params: {
      messageId: string;
    };
    result: {
      messageId: string;
      clientRequestTime: string;
      phoneAddress: string;
      areaCode: string;
      clientSid: string;
      sendStatus: 0 | 1 | 2 | 3;
      clientStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
      dealResult: string;
      carrierCode: string | null;
      taskId: string | null;
      templateId: string | null;
      appId: string;
      smsType: 1 | 2 | 3;
      fullMessage: string;
      submissionTime: string | null;
      clientReportTime: string | null;
      pkgTotal: number;
      carrier: string | null;
      chargeType: "SenderPays" | "ReceiverPays";
      price: number;
      chargedCost: number;
      life: ({
        step: "accepted" | "submitted" | "answered" | "unconfirmed" | "receipt" | "blocked";
        time: string;
        code: string | null;
      })[];
      callbacks: ({
        eventId: string;
        time: string;
        state: "waiting" | "delivered" | "givenUp";
        clientStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | null;
        attempts: number;
        lastTime: string | null;
        lastStatus: number | null;
        lastError: "addressRefused" | "nameNotFound" | "unreachable" | "tls" | "timeout" | "closed" | "redirect" | "gone" | "status" | "challenge" | null;
        nextTryTime: string | null;
        deliverTime: string | null;
      })[];
      clientRef: string | null;
      tags: string[];
      sendAt: string | null;
      /** The text of the phone that it answers. */
      replyTo: string | null;
      /** Why it waits; null: it does not. */
      hold: {
        /** sendAt: as asked for; quietHours: marketing at night; application, customer: disabled or paused; task: paused; carrier: none can be reached; restore: paused after a restore of the database. */
        reason: "sendAt" | "quietHours" | "application" | "customer" | "task" | "carrier" | "restore";
        /** The first instant at which it may be sent; null: it ends by an action. */
        until: string | null;
      } | null;
    };
  };
  /** Send a code to a phone; while one is pending, send another one in its place */
  'POST /verifications': {
    body: {
      /** The phone, in any spelling that a file may have. */
      to: string;
      channel?: "sms" | undefined;
      senderId?: string | undefined;
      /** An approved template of type Verification code with one variable, which becomes the code. Default: an English text of the platform, unless the customer must use templates. */
      templateId?: string | undefined;
      /** Digits. */
      codeLength?: number | undefined;
      /** Seconds in which the code can be entered. */
      validFor?: number | undefined;
    };
    result: {
      verificationId: string;
      status: "pending" | "approved" | "failed" | "expired" | "cancelled";
      channel: "sms";
      phoneAddress: string;
      messageId: string | null;
      sendCount: number;
      attemptsLeft: number;
      nextSendTime: string | null;
      expireTime: string;
    };
  };
  /** The state of a verification */
  'GET /verifications/{verificationId}': {
    params: {
      verificationId: string;
    };
    result: {
      verificationId: string;
      status: "pending" | "approved" | "failed" | "expired" | "cancelled";
      channel: "sms";
      phoneAddress: string;
      messageId: string | null;
      sendCount: number;
      attemptsLeft: number;
      nextSendTime: string | null;
      expireTime: string;
    };
  };
  /** Check the code that a user entered; the right one is right once */
  'POST /verifications/{verificationId}/check': {
    params: {
      verificationId: string;
    };
    body: {
      code: string;
    };
    result: {
      verificationId: string;
      status: "pending" | "approved" | "failed" | "expired" | "cancelled";
      channel: "sms";
      phoneAddress: string;
      messageId: string | null;
      sendCount: number;
      attemptsLeft: number;
      nextSendTime: string | null;
      expireTime: string;
      isCorrect: boolean;
    };
  };
  /** End a verification: its code opens nothing any more */
  'POST /verifications/{verificationId}/cancel': {
    params: {
      verificationId: string;
    };
    result: {
      verificationId: string;
      status: "pending" | "approved" | "failed" | "expired" | "cancelled";
      channel: "sms";
      phoneAddress: string;
      messageId: string | null;
      sendCount: number;
      attemptsLeft: number;
      nextSendTime: string | null;
      expireTime: string;
    };
  };
  /** How many codes were entered, by country and prefix */
  'GET /statistics/verifications': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      /** `areaCode`: by what divides the figures. `startedCount`: by how many began. */
      sort?: "areaCode" | "-areaCode" | "-startedCount" | "startedCount" | undefined;
      /** What divides the figures: `prefix` by country and prefix, `areaCode` by country, `appId` by application. */
      by?: "prefix" | "areaCode" | "appId" | undefined;
      customerId?: string | undefined;
      appId?: string | undefined;
      /** Whole hours; default: 7 days before `to`. */
      from?: string | undefined;
      to?: string | undefined;
    } | undefined;
    result: {
      items: ({
        startedCount: number;
        /** Codes, repeated ones included. */
        sentCount: number;
        approvedCount: number;
        /** Ended by nothing: the right code was not entered in time. Those of the last minutes may still be approved. */
        expiredCount: number;
        /** Wrong codes that were entered. */
        wrongCount: number;
        conversionRate: number | null;
        /** Null: of all. */
        areaCode: string | null;
        /** The first five digits of the numbers; null: of all. */
        prefix: string | null;
        /** Null: of all. */
        appId: string | null;
        appName: string | null;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
      /** Of all rows of the period. */
      totals: {
        startedCount: number;
        /** Codes, repeated ones included. */
        sentCount: number;
        approvedCount: number;
        /** Ended by nothing: the right code was not entered in time. Those of the last minutes may still be approved. */
        expiredCount: number;
        /** Wrong codes that were entered. */
        wrongCount: number;
        conversionRate: number | null;
      };
    };
  };
  /** The key or password that the call was made with: application, scopes, mode, expiry */
  'GET /key': {
    result: {
      /** password: the password of the application, by HTTP Basic. */
      kind: "key" | "password";
      /** The key; null: a password. */
      keyId: string | null;
      /** Name that the key was given; null: a password. */
      keyName: string | null;
      /** How the key begins; null: a password. */
      prefix: string | null;
      /** live: sends to phones. test: to an internal carrier, free, apart from everything real. */
      mode: "live" | "test";
      /** What the caller may do. A password has every scope. */
      scopes: ("messages:send" | "messages:read" | "tasks" | "templates" | "senders" | "groups" | "opt-outs" | "replies" | "billing:read" | "statistics:read" | "verify" | "callbacks")[];
      /** When the credentials stop working, UTC; null: they do not expire. */
      expireTime: string | null;
      appId: string;
      appName: string;
      customerName: string;
      /** Where the application binds over SMPP; null: it may not, or the key is of test mode. */
      smpp: {
        host: string;
        port: number;
        /** Port of SMPP over TLS; null: there is none. */
        tlsPort: number | null;
        systemId: string;
      } | null;
    };
  };
  /** What waits for me, counted for the menu, and what is sending now */
  'GET /overview/waiting': {
    result: {
      tasks: number;
      templates: number;
      senders: number;
      conversations: number;
      reviews: number;
      approvals: number;
      accountRequests: number;
      dossiers: number;
      running: ({
        taskId: string;
        taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
        paused: 0 | 1;
        totalCount: number;
        successCount: number;
        failedCount: number;
        deliveredCount: number;
        undeliveredCount: number;
        unknownCount: number;
        unconfirmedCount: number;
        progress: number;
        taskName: string;
      })[];
    };
  };
  /** First screen: figures, trend, running tasks, what waits for me */
  'GET /overview': {
    query?: {
      customerId?: string | undefined;
      range?: "today" | "7days" | "month" | undefined;
      zone?: string | undefined;
    } | undefined;
    result: {
      from: string;
      to: string;
      figures: {
        messages: number;
        segments: number;
        accepted: number;
        refused: number;
        blocked: number;
        delivered: number;
        undelivered: number;
        unknown: number;
        spend: number;
      };
      before: {
        from: string;
        to: string;
        figures: {
          messages: number;
          segments: number;
          accepted: number;
          refused: number;
          blocked: number;
          delivered: number;
          undelivered: number;
          unknown: number;
          spend: number;
        };
        messages: number[];
      };
      quietHours: {
        from: number;
        to: number;
      } | null;
      balance: number | null;
      reserved: number | null;
      forecast: {
        perDay: number;
        days: number | null;
      } | null;
      trend: ({
        time: string;
        delivered: number;
        awaiting: number;
        failed: number;
        messages: number;
        segments: number;
        accepted: number;
        refused: number;
        spend: number;
      })[];
      starts: ({
        taskId: string;
        taskName: string;
        time: string;
      })[];
      running: ({
        taskId: string;
        taskName: string;
        smsType: 1 | 2 | 3 | null;
        planFlag: 0 | 1;
        planTime: string | null;
        latestStartTime: string | null;
        taskStatus: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
        paused: 0 | 1;
        statusReason: string | null;
        quietHours: {
          from: number;
          to: number;
        } | null;
        statusNote: string | null;
        auditCode?: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | undefined;
        auditSpan?: {
          from: number;
          to: number;
        } | undefined;
        appId: string | null;
        appName: string | null;
        templateId: string | null;
        templateName: string | null;
        senderId: string | null;
        mobileFile: {
          fileId: string;
          fileName: string;
          validCount: number;
        } | null;
        groups: ({
          groupId: string;
          groupName: string;
          memberCount: number;
        })[];
        mapping: {
          variables: number[];
          groupVariables?: string[] | undefined;
        } | null;
        totalCount: number;
        successCount: number;
        failedCount: number;
        deliveredCount: number;
        undeliveredCount: number;
        unknownCount: number;
        unconfirmedCount: number;
        retryCount: number;
        progress: number;
        estimatedSegments: number | null;
        estimatedCost: number | null;
        chargedCost: number;
        version: number;
        createTime: string;
        startTime: string | null;
        endTime: string | null;
        abTest: {
          rule: "clicks" | "delivered" | "manual";
          waitMinutes: number;
          fallback: number | null;
          startTime: string | null;
          decideTime: string | null;
          askTime: string | null;
          decidedTime: string | null;
          winner: number | null;
          variants: ({
            templateId: string;
            templateName: string | null;
            share: number;
            delayMinutes: number;
            taskId: string | null;
          })[];
        } | null;
        abVariant: {
          taskId: string;
          variant: number;
        } | null;
        operator?: string | undefined;
        rate: number;
      })[];
      waiting: ({
        kind: "templateRejected";
        id: string;
        title: string;
        note: string | null;
      } | {
        kind: "senderRejected";
        id: string;
        title: string;
        note: string | null;
      } | {
        kind: "taskReady";
        id: string;
        title: string;
        recipients: number;
        cost: number | null;
      } | {
        kind: "taskDraft";
        id: string;
        title: string;
        time: string;
      } | {
        kind: "taskFailed";
        id: string;
        title: string;
        reason: string | null;
      } | {
        kind: "taskRejected";
        id: string;
        title: string;
        note: string | null;
      } | {
        kind: "lowBalance";
        available: number;
      } | {
        kind: "threshold";
        id: string;
        time: string;
        of: "volume" | "quality" | "pumping";
        event: "alert" | "limit" | "slow" | "pause";
        measure: "messages" | "segments" | "cost" | "delivered" | "failed" | "unknown" | "delay" | null;
        period: "hour" | "day" | "month" | null;
        windowMinutes?: number | null | undefined;
        value: number;
        bound: number;
        amount?: number | null | undefined;
        appId: string | null;
        appName?: string | null | undefined;
        areaCode?: string | null | undefined;
        carrier?: string | null | undefined;
        smsType?: 1 | 2 | 3 | null | undefined;
        paused: number;
        pumping?: {
          appId: string;
          appName: string | null;
          signal: "prefix" | "country" | "sequence" | "repeats" | "conversion";
          key: string;
          usual: number | null;
        } | null | undefined;
      } | {
        kind: "review";
        id: string;
        title: string;
        of: "template" | "sender" | "task" | "link";
        operator: string;
        auditStatus: 0 | 1 | 2 | 3;
        time: string;
      })[];
      steps: ({
        step: "application" | "template" | "approved" | "sender" | "task";
        done: boolean;
      })[];
      staff: {
        customers: ({
          customerId: string;
          operator: string;
          messages: number;
          accepted: number;
          delivered: number;
        })[];
        carriers: ({
          carrier: string | null;
          messages: number;
          accepted: number;
          delivered: number;
        })[];
        routes: ({
          routeId: string;
          routeName: string;
          supplierAccount: string;
          messages: number;
          accepted: number;
          delivered: number;
        })[];
      } | null;
    };
  };
  /** Rules of volume, quality, frequency and pumping, newest first, each as it stands */
  'GET /thresholds': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-createTime" | "createTime" | undefined;
      customerId?: string | undefined;
      kind?: "volume" | "quality" | "frequency" | "pumping" | undefined;
      useState?: "0" | "1" | undefined;
      appId?: string | undefined;
    } | undefined;
    result: {
      items: ({
        thresholdId: string;
        kind: "volume" | "quality" | "frequency" | "pumping";
        setBy: "customer" | "staff";
        useState: 0 | 1;
        appId: string | null;
        areaCode: string | null;
        carrier: string | null;
        smsType: 1 | 2 | 3 | null;
        period: "hour" | "day" | "month" | null;
        unit: "messages" | "segments" | "cost" | null;
        alertAt: number | null;
        limitAt: number | null;
        metric: "delivered" | "failed" | "unknown" | "delay" | null;
        bound: number | null;
        windowMinutes: number | null;
        minVolume: number | null;
        graceSeconds: number | null;
        act: "alert" | "slow" | "pauseTasks" | "pauseApplication" | null;
        factor: number | null;
        slowTo: number | null;
        sameContentPer30s: number | null;
        perMinute: number | null;
        perHour: number | null;
        perDay: number | null;
        exempt: string[];
        emails: string[];
        mobileNumbers: string[];
        webhooks: string[];
        silenceMinutes: number;
        version: number;
        createTime: string;
        updateTime: string;
        state: {
          value: number | null;
          volume: number | null;
          periodEnd: string | null;
          stage: "ok" | "alert" | "limit" | "idle";
          pausedTasks: number;
          pausedApplication: boolean;
          slowedApplication: boolean;
        };
        lastEvent: {
          eventId: string;
          time: string;
          event: "alert" | "limit" | "refused" | "slow" | "pause" | "resume" | "over";
          value: number | null;
          bound: number | null;
          amount: number | null;
          notified: boolean;
          userName: string | null;
          pumping: {
            appId: string;
            appName: string | null;
            signal: "prefix" | "country" | "sequence" | "repeats" | "conversion";
            key: string;
            usual: number | null;
          } | null;
        } | null;
        operator?: string | undefined;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** One rule */
  'GET /thresholds/{thresholdId}': {
    params: {
      thresholdId: string;
    };
    result: {
      thresholdId: string;
      kind: "volume" | "quality" | "frequency" | "pumping";
      setBy: "customer" | "staff";
      useState: 0 | 1;
      appId: string | null;
      areaCode: string | null;
      carrier: string | null;
      smsType: 1 | 2 | 3 | null;
      period: "hour" | "day" | "month" | null;
      unit: "messages" | "segments" | "cost" | null;
      alertAt: number | null;
      limitAt: number | null;
      metric: "delivered" | "failed" | "unknown" | "delay" | null;
      bound: number | null;
      windowMinutes: number | null;
      minVolume: number | null;
      graceSeconds: number | null;
      act: "alert" | "slow" | "pauseTasks" | "pauseApplication" | null;
      factor: number | null;
      slowTo: number | null;
      sameContentPer30s: number | null;
      perMinute: number | null;
      perHour: number | null;
      perDay: number | null;
      exempt: string[];
      emails: string[];
      mobileNumbers: string[];
      webhooks: string[];
      silenceMinutes: number;
      version: number;
      createTime: string;
      updateTime: string;
      state: {
        value: number | null;
        volume: number | null;
        periodEnd: string | null;
        stage: "ok" | "alert" | "limit" | "idle";
        pausedTasks: number;
        pausedApplication: boolean;
        slowedApplication: boolean;
      };
      lastEvent: {
        eventId: string;
        time: string;
        event: "alert" | "limit" | "refused" | "slow" | "pause" | "resume" | "over";
        value: number | null;
        bound: number | null;
        amount: number | null;
        notified: boolean;
        userName: string | null;
        pumping: {
          appId: string;
          appName: string | null;
          signal: "prefix" | "country" | "sequence" | "repeats" | "conversion";
          key: string;
          usual: number | null;
        } | null;
      } | null;
      operator?: string | undefined;
    };
  };
  /** What a rule did, newest first */
  'GET /thresholds/{thresholdId}/events': {
    params: {
      thresholdId: string;
    };
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-time" | "time" | undefined;
    } | undefined;
    result: {
      items: ({
        eventId: string;
        time: string;
        event: "alert" | "limit" | "refused" | "slow" | "pause" | "resume" | "over";
        value: number | null;
        bound: number | null;
        amount: number | null;
        notified: boolean;
        userName: string | null;
        pumping: {
          appId: string;
          appName: string | null;
          signal: "prefix" | "country" | "sequence" | "repeats" | "conversion";
          key: string;
          usual: number | null;
        } | null;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Balance, reserved amount, and what was charged today and this month */
  'GET /billing': {
    query?: {
      customerId?: string | undefined;
      zone?: string | undefined;
    } | undefined;
    result: {
      customerId: string;
      customerName: string;
      balance: number;
      reserved: number;
      lowBalance: number;
      chargedToday: number;
      chargedThisMonth: number;
      toppedUpThisMonth: number;
      forecast: {
        perDay: number;
        days: number | null;
      };
    };
  };
  /** Charges by day, application or task; up to 366 days */
  'GET /billing/charges': {
    query: {
      customerId?: string | undefined;
      zone?: string | undefined;
      by?: "day" | "application" | "task" | undefined;
      from: string;
      to: string;
    };
    result: {
      items: ({
        key: string | null;
        name: string | null;
        charged: number;
        segments: number;
      })[];
      charged: number;
      segments: number;
      rest: {
        count: number;
        charged: number;
        segments: number;
      } | null;
    };
  };
  /** Entries of the ledger, newest first; over all customers for admins who name none */
  'GET /billing/ledger': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-time" | "time" | undefined;
      customerId?: string | undefined;
      kind?: "topUp" | "charge" | "adjustment" | undefined;
      taskId?: string | "none" | undefined;
      from?: string | undefined;
      to?: string | undefined;
    } | undefined;
    result: {
      items: ({
        entryId: string;
        time: string;
        kind: "topUp" | "charge" | "adjustment";
        amount: number;
        segments: number;
        appId: string | null;
        taskId: string | null;
        taskName: string | null;
        account: string | null;
        note: string | null;
        customerId: string;
        operator?: string | null | undefined;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** The ledger by day and task, newest first; over all customers for admins who name none */
  'GET /billing/days': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-day" | "day" | undefined;
      customerId?: string | undefined;
      zone?: string | undefined;
      kind?: "topUp" | "charge" | "adjustment" | undefined;
      from?: string | undefined;
      to?: string | undefined;
    } | undefined;
    result: {
      items: ({
        day: string;
        kind: "topUp" | "charge" | "adjustment";
        customerId: string;
        operator?: string | null | undefined;
        taskId: string | null;
        taskName: string | null;
        entryCount: number;
        segments: number;
        amount: number;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
      sums: {
        charged: number;
        segments: number;
        toppedUp: number;
        adjusted: number;
      } | null;
    };
  };
  /** Months with an invoice, newest first; those whose ledger is kept, sixty at most */
  'GET /billing/invoices': {
    query?: {
      customerId?: string | undefined;
    } | undefined;
    result: {
      items: ({
        month: string;
        number: string;
        isFinal: boolean;
        charged: number;
        segments: number;
      })[];
    };
  };
  /** One month's invoice: charges by application, SMS type, carrier and price, top-ups, and the balance before and after */
  'GET /billing/invoice': {
    query: {
      customerId?: string | undefined;
      month: string;
    };
    result: {
      month: string;
      number: string;
      isFinal: boolean;
      charged: number;
      segments: number;
      customerId: string;
      customerName: string;
      zone: string;
      from: string;
      to: string;
      opening: number;
      closing: number;
      toppedUp: number;
      adjusted: number;
      charges: ({
        appId: string | null;
        appName: string | null;
        smsType: 1 | 2 | 3 | null;
        carrier: string | null;
        price: number | null;
        segments: number;
        amount: number;
      })[];
      entries: ({
        time: string;
        kind: "topUp" | "adjustment";
        note: string | null;
        amount: number;
      })[];
    };
  };
  /** Short links, the newest first */
  'GET /short-links': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-createTime" | "createTime" | undefined;
      customerId?: string | undefined;
      search?: string | undefined;
      appId?: string | undefined;
      mode?: "shared" | "perRecipient" | undefined;
      linkState?: "active" | "pending" | "rejected" | "expired" | "disabled" | "blocked" | undefined;
    } | undefined;
    result: {
      items: ({
        linkId: string;
        linkName: string;
        shortUrl: string;
        domain: string;
        code: string;
        targetUrl: string;
        fallbackUrl: string | null;
        mode: "shared" | "perRecipient";
        appId: string | null;
        appName: string | null;
        templateId: string | null;
        templateName: string | null;
        expireTime: string;
        useState: 0 | 1;
        linkState: "active" | "pending" | "rejected" | "expired" | "disabled" | "blocked";
        auditStatus: 0 | 1 | 2 | 3;
        auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
        auditReason: string | null;
        blockedReason: string | null;
        version: number;
        createTime: string;
        updateTime: string;
        createdBy: string | null;
        taskCount: number;
        clickCount: number;
        humanCount: number;
        robotCount: number;
        recipientCount: number;
        headCount: number;
        scannerCount: number;
        earlyCount: number;
        deliveredCount: number;
        clickRate: number | null;
        firstClickTime: string | null;
        lastClickTime: string | null;
        operator?: string | undefined;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Add a short link */
  'POST /short-links': {
    body: {
      linkName: string;
      targetUrl: string;
      mode?: "shared" | "perRecipient" | undefined;
      fallbackUrl?: string | null | undefined;
      appId?: string | null | undefined;
      templateId?: string | null | undefined;
      expiryDays?: 30 | 60 | 90 | undefined;
      expireTime?: string | undefined;
    };
    result: {
      linkId: string;
      linkName: string;
      shortUrl: string;
      domain: string;
      code: string;
      targetUrl: string;
      fallbackUrl: string | null;
      mode: "shared" | "perRecipient";
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      expireTime: string;
      useState: 0 | 1;
      linkState: "active" | "pending" | "rejected" | "expired" | "disabled" | "blocked";
      auditStatus: 0 | 1 | 2 | 3;
      auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
      auditReason: string | null;
      blockedReason: string | null;
      version: number;
      createTime: string;
      updateTime: string;
      createdBy: string | null;
      taskCount: number;
      clickCount: number;
      humanCount: number;
      robotCount: number;
      recipientCount: number;
      headCount: number;
      scannerCount: number;
      earlyCount: number;
      deliveredCount: number;
      clickRate: number | null;
      firstClickTime: string | null;
      lastClickTime: string | null;
      operator?: string | undefined;
    };
  };
  /** Clicks on short links by time and by what is known of them */
  'GET /short-links/statistics': {
    query?: {
      customerId?: string | undefined;
      linkId?: string | undefined;
      appId?: string | undefined;
      taskId?: string | undefined;
      preset?: "last24Hours" | "last7Days" | "last14Days" | "lastMonth" | "last3Months" | undefined;
      from?: string | undefined;
      to?: string | undefined;
      unit?: "0" | "1" | "2" | undefined;
      zone?: string | undefined;
      dimension?: "logDate" | "linkId" | "taskId" | "carrier" | "areaCode" | "os" | "browser" | "device" | "hour" | undefined;
    } | undefined;
    result: {
      from: string;
      to: string;
      zone: string;
      unit: 0 | 1 | 2;
      isShortened: boolean;
      times: string[];
      totals: {
        clickCount: number;
        humanCount: number;
        robotCount: number;
        recipientCount: number;
        headCount: number;
        scannerCount: number;
        earlyCount: number;
        deliveredCount: number;
        clickRate: number | null;
        firstClickTime: string | null;
        lastClickTime: string | null;
      };
      items: ({
        logDate: string;
        clickCount: number;
        humanCount: number;
        robotCount: number;
        recipientCount: number;
      })[];
      parts: Record<string, ({
        key: string;
        clickCount: number;
        humanCount: number;
        robotCount: number;
        recipientCount: number;
      })[]>;
      names: Record<string, string>;
    };
  };
  /** One short link with its figures */
  'GET /short-links/{linkId}': {
    params: {
      linkId: string;
    };
    result: {
      linkId: string;
      linkName: string;
      shortUrl: string;
      domain: string;
      code: string;
      targetUrl: string;
      fallbackUrl: string | null;
      mode: "shared" | "perRecipient";
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      expireTime: string;
      useState: 0 | 1;
      linkState: "active" | "pending" | "rejected" | "expired" | "disabled" | "blocked";
      auditStatus: 0 | 1 | 2 | 3;
      auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
      auditReason: string | null;
      blockedReason: string | null;
      version: number;
      createTime: string;
      updateTime: string;
      createdBy: string | null;
      taskCount: number;
      clickCount: number;
      humanCount: number;
      robotCount: number;
      recipientCount: number;
      headCount: number;
      scannerCount: number;
      earlyCount: number;
      deliveredCount: number;
      clickRate: number | null;
      firstClickTime: string | null;
      lastClickTime: string | null;
      operator?: string | undefined;
    };
  };
  /** Change, disable or enable a short link; of two changes at once the second is refused */
  'PATCH /short-links/{linkId}': {
    params: {
      linkId: string;
    };
    body: {
      linkName?: string | undefined;
      targetUrl?: string | undefined;
      fallbackUrl?: string | null | undefined;
      appId?: string | null | undefined;
      templateId?: string | null | undefined;
      expiryDays?: 30 | 60 | 90 | undefined;
      expireTime?: string | undefined;
      useState?: 0 | 1 | undefined;
      version?: number | undefined;
    };
    result: {
      linkId: string;
      linkName: string;
      shortUrl: string;
      domain: string;
      code: string;
      targetUrl: string;
      fallbackUrl: string | null;
      mode: "shared" | "perRecipient";
      appId: string | null;
      appName: string | null;
      templateId: string | null;
      templateName: string | null;
      expireTime: string;
      useState: 0 | 1;
      linkState: "active" | "pending" | "rejected" | "expired" | "disabled" | "blocked";
      auditStatus: 0 | 1 | 2 | 3;
      auditCode: "SENDER_UNNAMED" | "LINK_VARIABLE" | "LINK_UNSAFE" | "UNSUBSCRIBE_MISSING" | "TYPE_MISMATCH" | "PROHIBITED" | "MISLEADING" | "FILE_MISMATCH" | "NAME_UNPROVEN" | "OTHER" | null;
      auditReason: string | null;
      blockedReason: string | null;
      version: number;
      createTime: string;
      updateTime: string;
      createdBy: string | null;
      taskCount: number;
      clickCount: number;
      humanCount: number;
      robotCount: number;
      recipientCount: number;
      headCount: number;
      scannerCount: number;
      earlyCount: number;
      deliveredCount: number;
      clickRate: number | null;
      firstClickTime: string | null;
      lastClickTime: string | null;
      operator?: string | undefined;
    };
  };
  /** Delete a short link that no task under way sends; it leads nowhere from then on */
  'DELETE /short-links/{linkId}': {
    params: {
      linkId: string;
    };
    result: void;
  };
  /** Clicks on one short link, the latest first, as long as records are kept */
  'GET /short-links/{linkId}/clicks': {
    params: {
      linkId: string;
    };
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-clickTime" | "clickTime" | undefined;
      by?: "all" | "human" | undefined;
    } | undefined;
    result: {
      items: ({
        clickId: string;
        clickTime: string;
        mobileNumber: string | null;
        taskId: string | null;
        taskName: string | null;
        carrier: string | null;
        areaCode: string | null;
        os: string;
        browser: string;
        device: string;
        verdict: "human" | "head" | "scanner" | "early" | null;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** Exports of mine, and of software those of its application; who sees numbers whole sees those of software too */
  'GET /exports': {
    query?: {
      limit?: number | undefined;
      cursor?: string | undefined;
      sort?: "-createTime" | "createTime" | undefined;
    } | undefined;
    result: {
      items: ({
        exportId: string;
        list: "records";
        appId: string | null;
        state: "waiting" | "running" | "ready" | "failed" | "cancelled" | "expired";
        rowCount: number;
        byteCount: number;
        percent: number;
        createTime: string;
        endTime: string | null;
        expireTime: string | null;
      })[];
      nextCursor: string | null;
      total?: number | undefined;
    };
  };
  /** How far an export is */
  'GET /exports/{exportId}': {
    params: {
      exportId: string;
    };
    result: {
      exportId: string;
      list: "records";
      appId: string | null;
      state: "waiting" | "running" | "ready" | "failed" | "cancelled" | "expired";
      rowCount: number;
      byteCount: number;
      percent: number;
      createTime: string;
      endTime: string | null;
      expireTime: string | null;
    };
  };
  /** Make a csv of all records that a filter finds, in the background */
  'POST /exports': {
    body: {
      list: "records";
      query?: {
        phoneAddress?: string | undefined;
        clientSid?: string | undefined;
        sendStatus?: string | undefined;
        clientStatus?: string | undefined;
        smsType?: string | undefined;
        carrier?: "Globe" | "Smart" | "DITO" | "unknown" | undefined;
        areaCode?: string | undefined;
        taskId?: string | undefined;
        templateId?: string | undefined;
        appId?: string | undefined;
        messageId?: string | undefined;
        clientRef?: string | undefined;
        tag?: string | undefined;
        customerId?: string | undefined;
        routeId?: string | undefined;
        from?: string | undefined;
        to?: string | undefined;
        /** For people of customers: what was sent with test keys, and nothing else. */
        test?: "1" | undefined;
      } | undefined;
      columns?: ("messageId" | "clientRequestTime" | "phoneAddress" | "areaCode" | "clientSid" | "sendStatus" | "clientStatus" | "dealResult" | "carrierCode" | "taskId" | "taskName" | "templateName" | "appId" | "smsType" | "fullMessage" | "pkgTotal" | "submissionTime" | "clientReportTime" | "carrier" | "supplierAccount" | "operator")[] | undefined;
    };
    result: {
      exportId: string;
      list: "records";
      appId: string | null;
      state: "waiting" | "running" | "ready" | "failed" | "cancelled" | "expired";
      rowCount: number;
      byteCount: number;
      percent: number;
      createTime: string;
      endTime: string | null;
      expireTime: string | null;
    };
  };
  /** Stop an export that is under way */
  'POST /exports/{exportId}/cancel': {
    params: {
      exportId: string;
    };
    result: {
      exportId: string;
      list: "records";
      appId: string | null;
      state: "waiting" | "running" | "ready" | "failed" | "cancelled" | "expired";
      rowCount: number;
      byteCount: number;
      percent: number;
      createTime: string;
      endTime: string | null;
      expireTime: string | null;
    };
  };
  /** Delete an export that has ended, with its file */
  'DELETE /exports/{exportId}': {
    params: {
      exportId: string;
    };
    result: void;
  };
}
